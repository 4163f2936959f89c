// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/directory.h"

#include <fmt/format.h>

#include <chrono>
#include <cstddef>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "egress/http_sender.h"
#include "egress/message.h"
#include "oidc/discovery.h"
#include "oidc/keys.h"
#include "oidc/provider.h"

namespace atrium::oidc {
namespace {

constexpr std::size_t kDocumentBytesMax = std::size_t{256} << 10U;
constexpr std::chrono::seconds kTimeout{10};
constexpr int kOk = 200;

Result<std::string> FetchText(egress::HttpSender& sender, const std::string& url) {
  ASSIGN_OR_RETURN(egress::OutgoingResponse response,
                   sender.Send({.method = "GET",
                                .url = url,
                                .headers = {{.name = "Accept", .value = "application/json"}},
                                .timeout = kTimeout,
                                .response_bytes_max = kDocumentBytesMax}));
  if (response.status != kOk) {
    return FailPrivately(ErrorCode::kUnavailable,
                         fmt::format("the provider answered {}", response.status));
  }
  return std::move(response.body);
}

/// A document that makes no sense is the provider's mistake, not that of whoever signs in.
std::unexpected<Error> Blame(std::string_view document, Error error) {
  if (error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kLimitExceeded) {
    error.code = ErrorCode::kUnavailable;
  }
  if (error.code != ErrorCode::kPermissionDenied) {
    error.client_message = fmt::format("the identity provider's {} cannot be used", document);
  }
  return While(document, std::move(error));
}

Result<Discovery> FetchDiscovery(egress::HttpSender& sender, const std::string& issuer) {
  const Result<std::string> text = FetchText(sender, DiscoveryUrl(issuer));
  Result<Discovery> discovery =
      text ? ParseDiscovery(*text, issuer) : std::unexpected(text.error());
  if (!discovery) {
    return Blame("discovery document", std::move(discovery).error());
  }
  return discovery;
}

Result<KeySet> FetchKeys(egress::HttpSender& sender, const std::string& url) {
  const Result<std::string> text = FetchText(sender, url);
  Result<KeySet> keys = text ? ParseKeySet(*text) : std::unexpected(text.error());
  if (!keys) {
    return Blame("key set", std::move(keys).error());
  }
  return keys;
}

}  // namespace

Result<std::shared_ptr<const Discovery>> Directory::Find(const std::string& issuer) {
  RETURN_IF_ERROR(ValidateIssuer(issuer));
  return FindIn(*EntryOf(issuer), issuer);
}

Result<std::shared_ptr<const KeySet>> Directory::FindKeys(const std::string& issuer,
                                                          std::string_view kid) {
  RETURN_IF_ERROR(ValidateIssuer(issuer));
  const std::shared_ptr<Entry> entry = EntryOf(issuer);
  ASSIGN_OR_RETURN(const std::shared_ptr<const Discovery> discovery, FindIn(*entry, issuer));
  const auto fetch = [&] { return FetchKeys(sender_, discovery->jwks_uri); };
  ASSIGN_OR_RETURN(std::shared_ptr<const KeySet> keys, entry->keys.Get(clock_, fetch));
  if (kid.empty() || keys->Knows(kid)) {
    return keys;
  }
  return entry->keys.Renew(keys, clock_, fetch);
}

std::shared_ptr<Directory::Entry> Directory::EntryOf(const std::string& issuer) {
  const std::lock_guard lock(mutex_);
  if (const auto found = entries_.find(issuer); found != entries_.end()) {
    return found->second;
  }
  // Providers are entered by administrators: that many are a mistake, and any one may go.
  if (entries_.size() >= kIssuersMax) {
    entries_.erase(entries_.begin());
  }
  return entries_.emplace(issuer, std::make_shared<Entry>()).first->second;
}

Result<std::shared_ptr<const Discovery>> Directory::FindIn(Entry& entry,
                                                           const std::string& issuer) {
  return entry.discovery.Get(clock_, [&] { return FetchDiscovery(sender_, issuer); });
}

}  // namespace atrium::oidc
