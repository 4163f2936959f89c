// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <cstddef>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "files/people.h"
#include "files/push_tokens.h"
#include "files/records.h"
#include "http/socket.h"
#include "store/change_signals.h"
#include "store/ground.h"

namespace atrium::files {

/// How many libraries one client may hear of.
inline constexpr std::size_t kPushLibrariesMax = 1000;
/// A message of a client that names all of them, with their tokens.
inline constexpr std::size_t kPushMessageBytesMax = std::size_t{1} << 20;

/// One client that hears of the changes of libraries, as Seafile clients do:
///
///   client: {"type":"subscribe","content":{"repos":[{"id":"…","jwt_token":"…"}]}}, "unsubscribe"
///   server: {"type":"repo-update","content":{"repo_id":"…","commit_id":"…"}}
///           {"type":"jwt-expired","content":{"repo_id":"…"}}
///
/// Whoever subscribes is told the newest commit at once, so that nothing falls between what it has
/// and the subscription. Of several changes it did not take fast enough it hears the last. Whether
/// a person may still see a library, and whether the credential has ended that the token derives
/// from, is decided again with each change.
class PushSession final : public http::SocketSession {
 public:
  /// All outlive it.
  PushSession(const store::Ground& ground, const People& people, const PushTokens& tokens)
      : ground_(ground), people_(people), tokens_(tokens) {}

  std::string_view Protocol() const override { return "notification.seafile.com"; }
  /// kInvalidArgument for what is no message of this kind, kLimitExceeded for too many libraries.
  Result<void> Receive(http::SocketMessage message) override;
  Result<http::SocketTurn> Next(const Wake& wake) override;

 private:
  struct Subscription {
    PushGrant grant{};
    CommitId told{};
    /// Set by whoever has changed the library.
    std::atomic<bool> has_news = true;
    store::ChangeSignals::Watch watch{};
  };

  Result<void> Subscribe(const LibraryId& library, std::string_view token);
  Result<void> Tell(Subscription& subscription, http::SocketTurn& turn);
  Result<std::optional<Library>> FindFor(const PushGrant& grant) const;
  void Expire(const LibraryId& library) { expired_.push_back(library); }

  const store::Ground ground_;
  const People& people_;
  const PushTokens& tokens_;
  const store::OpContext op_ = store::OpContext::ForWork("push");
  Wake wake_{};
  std::vector<LibraryId> expired_{};
  std::map<LibraryId, std::unique_ptr<Subscription>> subscriptions_{};
};

}  // namespace atrium::files
