// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "base/sealed_box.h"
#include "files/people.h"
#include "files/records.h"
#include "http/request.h"
#include "http/route.h"
#include "store/conclusions.h"
#include "store/ground.h"

namespace atrium::files {

/// Who syncs which library, as the rule of sync routes found out.
class SyncCaller final : public http::Principal {
 public:
  std::string Name() const override {
    return "sync:" + library.Render() + ":" + person.id.Render();
  }
  /// However many libraries they sync, they are the person who uses the pages.
  std::string PersonName() const override { return "user:" + person.id.Render(); }

  LibraryId library{};
  /// There is no such library any more, or it is in the trash. Then nothing else is known, and
  /// clients are to forget it.
  bool is_gone = false;
  Person person{};
  Permission permission = Permission::kRead;
  /// The library as it was when the request came in.
  std::shared_ptr<const Library> record{};
};

/// The token that a request carries, in `Seafile-Repo-Token` or as `Authorization: Token`; empty
/// when there is none.
std::string_view SyncTokenIn(const http::Request& request);

/// The tokens by which clients sync. Each opens one library for one person, and nothing else. They
/// do not expire, but end with the credential for which they were made: a device whose token is
/// revoked syncs no more. What they open is decided anew with each request.
class SyncTokenService {
 public:
  /// `key` is the server's own; with another one, everybody gets other tokens.
  SyncTokenService(const store::Ground& ground, const People& people, const SecretKey& key);

  /// The same whenever the same credential of a person asks for as much. It opens no more than
  /// `at_most`, for credentials that may only read. kNotFound for a library that they
  /// may not see.
  Result<std::string> Issue(const store::OpContext& op, const Person& person,
                            const LibraryId& library, Permission at_most = Permission::kWrite);

  /// kPermissionDenied for a token that is none, is of another library, or whose credential has
  /// ended, and when the person may not see the library any more.
  Result<SyncCaller> Admit(const store::OpContext& op, std::string_view token,
                           const LibraryId& library) const;
  /// The same for somebody admitted before: kPermissionDenied when the credential behind the token
  /// has ended. What they may do with the library is the business of whoever writes to it.
  Result<void> Readmit(const store::OpContext& op, const SyncCaller& caller,
                       http::Staleness allowed) const;

 private:
  /// What a token opens, whoever has it.
  struct Opening {
    /// nullopt: there is no such library any more, or it is in the trash.
    std::optional<Library> library{};
    SyncToken token{};
  };
  using Openings = store::Conclusions<Opening>;

  Result<Openings::Conclusion> Try(const store::OpContext& op, std::string_view token,
                                   const LibraryId& library) const;
  std::string TokenOf(const Person& person, const LibraryId& library, Permission at_most) const;

  const store::Ground ground_;
  const People& people_;
  const SecretKey key_;
  mutable Openings openings_;
};

/// The rule of routes below /seafhttp/repo/{library}: whoever has a token of that library. Its
/// principal is a SyncCaller.
class SyncAccess final : public http::AccessRule {
 public:
  explicit SyncAccess(const SyncTokenService& tokens) : tokens_(tokens) {}

  std::string_view Name() const override { return "sync"; }
  Result<std::shared_ptr<const http::Principal>> Admit(const http::Request& request) const override;
  Result<void> Readmit(const http::Admitted& admitted, http::Staleness allowed) const override;

 private:
  const SyncTokenService& tokens_;
};

}  // namespace atrium::files
