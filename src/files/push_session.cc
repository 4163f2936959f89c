// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/push_session.h"

#include <boost/describe/class.hpp>
#include <utility>

#include "base/json_read.h"
#include "files/keys.h"
#include "files/library_access.h"
#include "store/change_log.h"
#include "store/store.h"

namespace atrium::files {
namespace {

struct NamedLibrary {
  std::string id{};
  std::optional<std::string> jwt_token{};
};
BOOST_DESCRIBE_STRUCT(NamedLibrary, (), (id, jwt_token))

struct NamedLibraries {
  std::vector<NamedLibrary> repos{};
};
BOOST_DESCRIBE_STRUCT(NamedLibraries, (), (repos))

struct ClientMessage {
  std::string type{};
  std::optional<NamedLibraries> content{};
};
BOOST_DESCRIBE_STRUCT(ClientMessage, (), (type, content))

http::SocketMessage ExpiryOf(const LibraryId& library) {
  return {.payload =
              R"({"type":"jwt-expired","content":{"repo_id":")" + library.Render() + R"("}})"};
}

http::SocketMessage UpdateOf(const Library& library) {
  return {.payload = R"({"type":"repo-update","content":{"repo_id":")" + library.id.Render() +
                     R"(","commit_id":")" + library.head.Render() + R"("}})"};
}

}  // namespace

Result<void> PushSession::Receive(http::SocketMessage message) {
  ASSIGN_OR_RETURN(const auto asked,
                   FromJson<ClientMessage>(message.payload, {.unknown = OnUnknown::kIgnore,
                                                             .missing = OnMissing::kKeepDefault}));
  if (!asked.content) {
    return {};
  }
  for (const NamedLibrary& named : asked.content->repos) {
    const Result<LibraryId> library = LibraryId::Parse(named.id);
    if (!library) {
      return Fail(ErrorCode::kInvalidArgument, "content.repos.id: no id of a library");
    }
    if (asked.type == "subscribe") {
      RETURN_IF_ERROR(Subscribe(*library, named.jwt_token.value_or("")));
    } else if (asked.type == "unsubscribe") {
      subscriptions_.erase(*library);
    }
  }
  return {};
}

Result<void> PushSession::Subscribe(const LibraryId& library, std::string_view token) {
  const Result<PushGrant> grant = tokens_.Open(token);
  if (!grant || grant->library != library) {
    // It asks for another one then, and is told if there is none for it.
    Expire(library);
    return {};
  }
  if (subscriptions_.size() >= kPushLibrariesMax && !subscriptions_.contains(library)) {
    return Fail(ErrorCode::kLimitExceeded, "content.repos: too many libraries");
  }
  auto subscription = std::make_unique<Subscription>();
  subscription->grant = *grant;
  // Before anything is read, so that no change is missed.
  subscription->watch = ground_.store.Signals().Listen(
      store::kChanges, TopicOf(library), [news = &subscription->has_news, wake = wake_] {
        news->store(true);
        wake();
      });
  subscriptions_.insert_or_assign(library, std::move(subscription));
  return {};
}

Result<std::optional<Library>> PushSession::FindFor(const PushGrant& grant) const {
  ASSIGN_OR_RETURN(const auto person, people_.Find(op_, grant.user));
  if (!person || !person->is_active || person->generation != grant.generation) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const bool stands,
                   people_.StillStands(op_, grant.parent, http::Staleness::kMoment));
  if (!stands) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(const auto library,
                   store::Find(ground_.store, op_, Libraries(), LibraryRowKey(grant.library)));
  const bool may =
      library && !library->record.deleted_at && PermissionOf(library->record, *person).has_value();
  return may ? std::optional(library->record) : std::nullopt;
}

Result<void> PushSession::Tell(Subscription& subscription, http::SocketTurn& turn) {
  if (subscription.grant.ends_at <= ground_.clock.Now()) {
    Expire(subscription.grant.library);
    return {};
  }
  ASSIGN_OR_RETURN(const auto library, FindFor(subscription.grant));
  if (library && library->head != subscription.told) {
    subscription.told = library->head;
    turn.messages.push_back(UpdateOf(*library));
  }
  return {};
}

Result<http::SocketTurn> PushSession::Next(const Wake& wake) {
  if (!wake_) {
    wake_ = wake;
  }
  http::SocketTurn turn;
  for (const auto& [library, subscription] : subscriptions_) {
    if (subscription->has_news.exchange(false)) {
      RETURN_IF_ERROR(Tell(*subscription, turn));
    }
  }
  for (const LibraryId& library : std::exchange(expired_, {})) {
    subscriptions_.erase(library);
    turn.messages.push_back(ExpiryOf(library));
  }
  return turn;
}

}  // namespace atrium::files
