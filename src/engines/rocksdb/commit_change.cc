// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/commit_change.h"

#include <algorithm>
#include <concepts>
#include <limits>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

#include "engines/rocksdb/status.h"

namespace atrium::rocks {
namespace {

constexpr std::size_t kSequenceBytes = 8;
constexpr std::string_view kCountedDocument = "{}";

/// Rows of these kinds have neither expectations nor counters, so nothing about them needs to be
/// known before they are written.
bool IsBlind(const store::Table& table) {
  return table.kind == store::TableKind::kDerived || table.kind == store::TableKind::kImmutable;
}

/// Whether a whole row can be written, or removed, without a look at what is there.
bool IsKnownUnread(const store::Table& table, const store::Expectation& expect) {
  using Kind = store::Expectation::Kind;
  return expect.GetKind() == Kind::kFresh || (IsBlind(table) && expect.GetKind() == Kind::kNone);
}

std::string WithSequence(std::string head_key, std::uint64_t number) {
  head_key.replace(head_key.size() - kSequenceBytes, kSequenceBytes, store::SequenceKey(number));
  return head_key;
}

std::int64_t& CounterIn(std::vector<store::Counter>& counters, std::string_view name) {
  const auto place = std::ranges::lower_bound(counters, name, {}, &store::Counter::name);
  if (place != counters.end() && place->name == name) {
    return place->value;
  }
  return counters.insert(place, {.name = std::string(name)})->value;
}

/// The sum, unless it leaves the bounds in the direction of the delta, or the range of an int64.
std::optional<std::int64_t> Sum(std::int64_t value, const store::Add& add) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(value, add.delta, &sum) || (add.delta > 0 && sum > add.at_most) ||
      (add.delta < 0 && sum < add.at_least)) {
    return std::nullopt;
  }
  return sum;
}

}  // namespace

CommitChange::CommitChange(store::WriteSet writes) : writes_(std::move(writes)) {
  targets_.reserve(writes_.mutations.size());
  target_of_.reserve(writes_.mutations.size());
  for (const store::Mutation& mutation : writes_.mutations) {
    std::visit([&](const auto& one) { Name(one); }, mutation);
  }
  for (const Target& target : targets_) {
    bytes_ += sizeof(Target) + target.named.key.size() + 2 * target.value.size();
  }
  for (const Entry& entry : entries_) {
    bytes_ += sizeof(Entry) + 2 * entry.key.size() + 2 * entry.value.size();
  }
}

template <typename Mutation>
void CommitChange::Name(const Mutation& mutation) {
  constexpr bool kWritesWhole =
      std::same_as<Mutation, store::Put> || std::same_as<Mutation, store::Erase>;
  const bool unread = kWritesWhole && IsKnownUnread(*mutation.table, mutation.expect);
  const std::size_t place = TargetOf(EncodeKey(mutation.table->number, mutation.key),
                                     unread ? Read::kNotNeeded : Read::kNeeded);
  if constexpr (std::same_as<Mutation, store::Put>) {
    targets_[place].value =
        EncodeValue({.expires_at = mutation.expires_at, .document = mutation.document});
  }
  target_of_.push_back(place);
}

void CommitChange::Name(const store::Append& append) {
  std::string key = EncodeKey(append.table->number, store::Key{.partition = append.partition,
                                                               .sort = store::SequenceKey(0)});
  entries_.push_back(
      {.key = key,
       .value = EncodeValue({.expires_at = append.expires_at, .document = append.document})});
  target_of_.push_back(TargetOf(std::move(key), Read::kNeeded));
}

/// The place of the row with this key, which is named for the first time or once more.
std::size_t CommitChange::TargetOf(std::string key, Read read) {
  const std::uint64_t hash = HashOf(key);
  const auto known = std::ranges::find_if(targets_, [&](const Target& target) {
    return target.named.hash == hash && target.named.key == key;
  });
  const auto place = static_cast<std::size_t>(known - targets_.begin());
  if (known == targets_.end()) {
    targets_.push_back({.named = {.key = std::move(key), .hash = hash}, .read = read});
  } else if (read == Read::kNeeded) {
    known->read = Read::kNeeded;
  }
  return place;
}

Result<void> CommitChange::Prepare(const Database& database, std::uint64_t batch) {
  for (Target& target : targets_) {
    if (target.read == Read::kNeeded) {
      RETURN_IF_ERROR(ReadAhead(database, batch, target.named));
    }
  }
  return {};
}

Result<store::Receipt> CommitChange::Decide(Batch& batch) {
  for (Target& target : targets_) {
    if (target.read == Read::kNeeded) {
      RETURN_IF_ERROR(FindState(batch, target));
    }
  }
  for (std::size_t i = 0; i < target_of_.size(); ++i) {
    RETURN_IF_ERROR(Expect(writes_.mutations[i], targets_[target_of_[i]]));
  }
  receipt_.version = batch.GetVersion();
  for (std::size_t i = 0; i < target_of_.size(); ++i) {
    RETURN_IF_ERROR(
        std::visit([&](const auto& one) { return Do(batch, one, targets_[target_of_[i]]); },
                   writes_.mutations[i]));
  }
  for (const Target& target : targets_) {
    StageTarget(batch, target);
  }
  return std::move(receipt_);
}

Result<void> CommitChange::FindState(Batch& batch, Target& target) {
  ASSIGN_OR_RETURN(const std::optional<std::string_view> found, batch.Find(target.named));
  target.stored = found.has_value();
  if (!found) {
    return {};
  }
  target.state = DecodeValue(*found);
  if (!target.state) {
    return CorruptRow(target.named.key);
  }
  if (!Exists(target.state->expires_at, batch.Now())) {
    target.state.reset();
  }
  return {};
}

Result<void> CommitChange::Expect(const store::Mutation& mutation, const Target& target) const {
  return std::visit(
      [&](const auto& one) -> Result<void> {
        if constexpr (requires { one.expect; }) {
          if (!one.expect.HoldsFor(target.state ? std::optional(target.state->version)
                                                : std::nullopt)) {
            return FailPrivately(
                ErrorCode::kConflict,
                "a row of table " + std::string(one.table->name) + " is not as expected");
          }
        }
        return {};
      },
      mutation);
}

Result<void> CommitChange::Do(Batch& batch, const store::Put& put, Target& target) {
  if (target.state && !target.state->counters.empty()) {
    target.value = EncodeValue({.expires_at = put.expires_at,
                                .counters = target.state->counters,
                                .document = put.document});
  }
  SetVersion(target.value, batch.GetVersion());
  target.state = DecodeValue(target.value);
  target.fate = Fate::kWritten;
  return {};
}

Result<void> CommitChange::Do(Batch& /*batch*/, const store::Erase& /*erase*/, Target& target) {
  // A row of which nothing was read may be there.
  if (target.stored || target.read == Read::kNotNeeded) {
    target.fate = Fate::kErased;
  }
  target.state.reset();
  return {};
}

Result<void> CommitChange::Do(Batch& batch, const store::Add& add, Target& target) {
  const Result<std::int64_t> sum = AddTo(batch, add, target);
  return sum ? Result<void>() : std::unexpected(sum.error());
}

Result<void> CommitChange::Do(Batch& /*batch*/, const store::Check& /*check*/, Target& /*target*/) {
  return {};
}

Result<void> CommitChange::Do(Batch& batch, const store::Append& append, Target& target) {
  ASSIGN_OR_RETURN(const std::int64_t last, AddTo(batch,
                                                  {.table = append.table,
                                                   .key = {},
                                                   .counter = std::string(store::kSequenceCounter),
                                                   .delta = 1},
                                                  target));
  const auto number = static_cast<std::uint64_t>(last);
  Entry& entry = entries_[entries_done_++];
  entry.key = WithSequence(std::move(entry.key), number);
  SetVersion(entry.value, batch.GetVersion());
  batch.Stage({.key = entry.key, .hash = HashOf(entry.key), .value = entry.value});
  if (append.keep != 0 && number > append.keep) {
    entry.trimmed_key = WithSequence(entry.key, number - append.keep);
    batch.Stage({.key = entry.trimmed_key, .hash = HashOf(entry.trimmed_key)});
  }
  receipt_.appended.push_back(number);
  return {};
}

/// The new value of the counter.
Result<std::int64_t> CommitChange::AddTo(Batch& batch, const store::Add& add, Target& target) {
  const ValueView before = target.state.value_or(ValueView{.document = kCountedDocument});
  std::vector<store::Counter> counters;
  if (!DecodeCounters(before.counters, counters)) {
    return CorruptRow(target.named.key);
  }
  std::int64_t& counter = CounterIn(counters, add.counter);
  const std::optional<std::int64_t> sum = Sum(counter, add);
  if (!sum) {
    return FailPrivately(ErrorCode::kLimitExceeded, "counter " + add.counter + " of table " +
                                                        std::string(add.table->name) +
                                                        " would leave its bounds");
  }
  counter = *sum;
  std::string encoded;
  EncodeCounters(counters, encoded);
  target.value = EncodeValue({.version = batch.GetVersion(),
                              .expires_at = before.expires_at,
                              .counters = encoded,
                              .document = before.document});
  target.state = DecodeValue(target.value);
  target.fate = Fate::kWritten;
  return *sum;
}

void CommitChange::StageTarget(Batch& batch, const Target& target) {
  if (target.fate == Fate::kUntouched) {
    return;
  }
  batch.Stage({.key = target.named.key,
               .hash = target.named.hash,
               .value = target.fate == Fate::kWritten
                            ? std::optional<std::string_view>(target.value)
                            : std::nullopt,
               .replaces = target.stored && target.fate == Fate::kWritten});
}

}  // namespace atrium::rocks
