// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/once_only.h"

#include <boost/describe/class.hpp>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "store/key_bytes.h"
#include "store/limits.h"
#include "store/record.h"

namespace atrium::store {
namespace {

struct ClaimRecord {
  std::string digest{};
  int status = 0;
  std::string body{};
};
BOOST_DESCRIBE_STRUCT(ClaimRecord, (), (digest, status, body))

/// Hashed, because names may be longer than keys.
std::string PartitionFor(const OnceOnly::Name& name) {
  const Sha256Digest digest = Sha256Of(KeyBytes().Text(name.principal).Text(name.key).Take());
  return std::string(AsChars(digest));
}

}  // namespace

OnceOnly::OnceOnly(const Name& name, const Clock& clock)
    : partition_(PartitionFor(name)), digest_(name.digest), clock_(clock) {}

Result<std::optional<Replay>> OnceOnly::FindReplay(Engine& engine, const OpContext& op) {
  ASSIGN_OR_RETURN(const std::optional<Row> row,
                   engine.Get(op, kClaims, {.partition = partition_}));
  if (!row) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(Stored<ClaimRecord> claim,
                   DecodeRecord<ClaimRecord>(row->document, row->version));
  return Replay{.answer = {.status = claim.record.status, .body = std::move(claim.record.body)},
                .version = row->version,
                .other_request = claim.record.digest != digest_};
}

void OnceOnly::Claim(WriteSet& writes, const Answer& answer) {
  claimed_ = true;
  ClaimRecord claim{.digest = digest_, .status = answer.status, .body = answer.body};
  std::string document = EncodeRecord(claim);
  // An answer too long to be kept is remembered without its body: that it happened matters more.
  if (document.size() > kDocumentBytesMax) {
    claim.body.clear();
    document = EncodeRecord(claim);
  }
  writes.mutations.emplace_back(Put{.table = &kClaims,
                                    .key = {.partition = partition_},
                                    .document = std::move(document),
                                    .expect = Expectation::Absent(),
                                    .expires_at = clock_.Now() + kClaimsKept});
}

}  // namespace atrium::store
