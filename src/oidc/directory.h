// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "egress/http_sender.h"
#include "oidc/cached_document.h"
#include "oidc/discovery.h"
#include "oidc/keys.h"

namespace atrium::oidc {

/// What providers publish about themselves, fetched when needed and remembered as CachedDocument
/// says. At most kIssuersMax of them; beyond that one is forgotten for each new one.
///
/// Failures: kPermissionDenied when a document speaks for another issuer or the address may not be
/// called, kInvalidArgument for an issuer that is no https URL, kUnavailable when the provider
/// cannot be reached or what it sends makes no sense. Any thread; sender and clock outlive it.
class Directory {
 public:
  Directory(egress::HttpSender& sender, const Clock& clock) : sender_(sender), clock_(clock) {}

  Result<std::shared_ptr<const Discovery>> Find(const std::string& issuer);

  /// The issuer's keys. When none of them has the id `kid`, they are fetched once more, since
  /// providers change their keys; it may still be missing then. An empty `kid` asks for no key in
  /// particular.
  Result<std::shared_ptr<const KeySet>> FindKeys(const std::string& issuer, std::string_view kid);

  static constexpr std::size_t kIssuersMax = 1000;

 private:
  struct Entry {
    CachedDocument<Discovery> discovery;
    CachedDocument<KeySet> keys;
  };

  std::shared_ptr<Entry> EntryOf(const std::string& issuer);
  Result<std::shared_ptr<const Discovery>> FindIn(Entry& entry, const std::string& issuer);

  egress::HttpSender& sender_;
  const Clock& clock_;
  std::mutex mutex_;
  // Guarded by mutex_; what the entries hold guards itself.
  std::map<std::string, std::shared_ptr<Entry>, std::less<>> entries_;
};

}  // namespace atrium::oidc
