// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/space_verification.h"

#include <string>
#include <utility>
#include <vector>

#include "files/keys.h"
#include "files/loose_space.h"
#include "store/batch.h"
#include "store/record.h"

namespace atrium::files {
namespace {

constexpr std::size_t kPage = 1000;

std::string Compared(std::int64_t counted, std::int64_t held) {
  return "counted are " + std::to_string(counted) + " bytes, and libraries hold " +
         std::to_string(held);
}

Result<void> GoOn(const std::stop_token& stop) {
  return stop.stop_requested() ? FailPrivately(ErrorCode::kUnavailable, "stopped before the end")
                               : Result<void>();
}

}  // namespace

Result<void> SpaceVerification::AddUp(const std::stop_token& stop) {
  people_hold_.clear();
  orgs_hold_.clear();
  store::WalkRequest request{.table = &kLibraryTable, .limit = kPage};
  do {
    RETURN_IF_ERROR(GoOn(stop));
    std::optional<Error> broken;
    std::vector<Library> libraries;
    store::FunctionSink sink([&](const store::RowView& row) {
      auto library = store::DecodeRecord<Library>(row.document, row.version);
      if (!library) {
        broken = library.error();
        return;
      }
      libraries.push_back(std::move(library->record));
    });
    ASSIGN_OR_RETURN(store::WalkEnd end, ground_.store.Walk(op_, request, sink));
    if (broken) {
      return std::unexpected(*std::move(broken));
    }
    for (const Library& library : libraries) {
      ASSIGN_OR_RETURN(const LooseCount loose, FindLoose(ground_.store, op_, library.id));
      people_hold_[library.owner] += library.bytes + loose.bytes;
      orgs_hold_[library.org] += library.bytes + loose.bytes;
    }
    request.after = std::move(end.resume);
  } while (request.after);
  return {};
}

Result<SpaceVerification::Counted> SpaceVerification::ReadCounter(const UserId& user) const {
  ASSIGN_OR_RETURN(const auto row, ground_.store.Get(op_, kSpaceTable, SpaceKey(user)));
  return row ? Counted{.bytes = store::CounterOf(row->counters, kBytesCounter),
                       .version = row->version}
             : Counted();
}

Result<void> SpaceVerification::ReadCounters() {
  store::WalkRequest request{.table = &kSpaceTable, .limit = kPage};
  do {
    store::FunctionSink sink([&](const store::RowView& row) {
      if (const auto user = UserId::Parse(row.key.partition)) {
        people_counted_[*user] = {.bytes = store::CounterOf(row.counters, kBytesCounter),
                                  .version = row.version};
      }
    });
    ASSIGN_OR_RETURN(store::WalkEnd end, ground_.store.Walk(op_, request, sink));
    request.after = std::move(end.resume);
  } while (request.after);
  for (const auto& [user, bytes] : people_hold_) {
    people_counted_.try_emplace(user);
  }
  for (const auto& [org, bytes] : orgs_hold_) {
    ASSIGN_OR_RETURN(const auto counted, people_.BytesOfOrg(op_, org));
    if (counted) {
      orgs_counted_[org] = *counted;
    }
  }
  return {};
}

Result<bool> SpaceVerification::Correct(store::Batch batch) const {
  const auto receipt = ground_.store.Commit(op_, std::move(batch));
  if (receipt) {
    return true;
  }
  const bool may_wait = receipt.error().code == ErrorCode::kConflict ||
                        receipt.error().code == ErrorCode::kLimitExceeded;
  return may_wait ? Result<bool>(false) : std::unexpected(receipt.error());
}

Result<void> SpaceVerification::ComparePerson(const UserId& user, const Counted& counted,
                                              Verification& seen) {
  const std::int64_t held = people_hold_[user];
  ASSIGN_OR_RETURN(const Counted now, ReadCounter(user));
  if (counted.bytes == held || now != counted) {
    return {};
  }
  seen.Add({.of = "space",
            .id = user.Render(),
            .explanation = Compared(counted.bytes, held),
            .remedy = "count anew"});
  if (!options_.Repairs()) {
    return {};
  }
  store::Batch batch;
  batch.Add(store::Add{.table = &kSpaceTable,
                       .key = SpaceKey(user),
                       .counter = std::string(kBytesCounter),
                       .delta = held - counted.bytes,
                       .expect = counted.version ? store::Expectation::At(*counted.version)
                                                 : store::Expectation::Absent()});
  ASSIGN_OR_RETURN(const bool corrected, Correct(std::move(batch)));
  seen.repaired += corrected ? 1 : 0;
  return {};
}

Result<void> SpaceVerification::CompareOrg(const OrgId& org, std::int64_t before,
                                           Verification& seen) {
  const std::int64_t held = orgs_hold_[org];
  ASSIGN_OR_RETURN(const auto now, people_.BytesOfOrg(op_, org));
  if (before == held || now != before) {
    return {};
  }
  seen.Add({.of = "space",
            .id = org.Render(),
            .explanation = Compared(before, held),
            .remedy = "count anew"});
  if (!options_.Repairs()) {
    return {};
  }
  store::Batch batch;
  RETURN_IF_ERROR(people_.ReserveForOrg(op_, org, held - before, batch));
  ASSIGN_OR_RETURN(const bool corrected, Correct(std::move(batch)));
  seen.repaired += corrected ? 1 : 0;
  return {};
}

Result<void> SpaceVerification::Run(Verification& seen, const std::stop_token& stop) {
  // Who and what is counted at all comes out of the first sums, which may be outdated then.
  RETURN_IF_ERROR(AddUp(stop));
  RETURN_IF_ERROR(ReadCounters());
  RETURN_IF_ERROR(AddUp(stop));
  for (const auto& [user, counted] : people_counted_) {
    RETURN_IF_ERROR(ComparePerson(user, counted, seen));
  }
  for (const auto& [org, counted] : orgs_counted_) {
    RETURN_IF_ERROR(CompareOrg(org, counted, seen));
  }
  return {};
}

}  // namespace atrium::files
