// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/memory/attempt.h"

#include <algorithm>
#include <utility>
#include <variant>

namespace atrium::engines {
namespace {

using store::Row;

template <typename Mutation>
MemoryEngine::Place PlaceOf(const Mutation& mutation) {
  return {.table = mutation.table->number, .key = mutation.key};
}

MemoryEngine::Place LogPlace(const store::Append& append, std::uint64_t number) {
  return {.table = append.table->number,
          .key = {.partition = append.partition, .sort = store::SequenceKey(number)}};
}

std::int64_t& CounterIn(Row& row, std::string_view name) {
  const auto place = std::ranges::lower_bound(row.counters, name, {}, &store::Counter::name);
  if (place != row.counters.end() && place->name == name) {
    return place->value;
  }
  return row.counters.insert(place, {.name = std::string(name)})->value;
}

/// The sum, unless it leaves the bounds in the direction of the delta, or the range of an int64.
std::optional<std::int64_t> Sum(std::int64_t value, const store::Add& add) {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(value, add.delta, &sum)) {
    return std::nullopt;
  }
  if ((add.delta > 0 && sum > add.at_most) || (add.delta < 0 && sum < add.at_least)) {
    return std::nullopt;
  }
  return sum;
}

}  // namespace

Result<void> Attempt::Run(const store::WriteSet& writes) {
  for (const store::Mutation& mutation : writes.mutations) {
    RETURN_IF_ERROR(Expect(mutation));
  }
  for (const store::Mutation& mutation : writes.mutations) {
    RETURN_IF_ERROR(std::visit([&](const auto& one) { return Do(one); }, mutation));
  }
  return {};
}

void Attempt::ApplyTo(MemoryEngine::Rows& rows) const {
  for (const auto& [place, row] : after_) {
    if (row) {
      rows[place] = *row;
    } else {
      rows.erase(place);
    }
  }
}

Result<void> Attempt::Expect(const store::Mutation& mutation) const {
  return std::visit(
      [&](const auto& one) -> Result<void> {
        if constexpr (requires { one.expect; }) {
          const std::optional<Row> found = Find(PlaceOf(one));
          if (!one.expect.HoldsFor(found ? std::optional(found->version) : std::nullopt)) {
            return FailPrivately(
                ErrorCode::kConflict,
                "a row of table " + std::string(one.table->name) + " is not as expected");
          }
        }
        return {};
      },
      mutation);
}

Result<void> Attempt::Do(const store::Put& put) {
  Row row = Find(PlaceOf(put)).value_or(Row{});
  row.document = put.document;
  row.expires_at = put.expires_at;
  Write(PlaceOf(put), std::move(row));
  return {};
}

Result<void> Attempt::Do(const store::Erase& erase) {
  after_[PlaceOf(erase)] = std::nullopt;
  return {};
}

Result<void> Attempt::Do(const store::Add& add) {
  Row row = Find(PlaceOf(add)).value_or(Row{.document = "{}"});
  std::int64_t& counter = CounterIn(row, add.counter);
  const std::optional<std::int64_t> sum = Sum(counter, add);
  if (!sum) {
    return FailPrivately(ErrorCode::kLimitExceeded, "counter " + add.counter + " of table " +
                                                        std::string(add.table->name) +
                                                        " would leave its bounds");
  }
  counter = *sum;
  Write(PlaceOf(add), std::move(row));
  return {};
}

Result<void> Attempt::Do(const store::Check& /*check*/) {
  return {};
}

Result<void> Attempt::Do(const store::Append& append) {
  Row head = Find(LogPlace(append, 0)).value_or(Row{.document = "{}"});
  const auto number = static_cast<std::uint64_t>(++CounterIn(head, store::kSequenceCounter));
  Write(LogPlace(append, 0), std::move(head));
  Write(LogPlace(append, number), {.document = append.document, .expires_at = append.expires_at});
  if (append.keep != 0 && number > append.keep) {
    after_[LogPlace(append, number - append.keep)] = std::nullopt;
  }
  receipt_.appended.push_back(number);
  return {};
}

std::optional<Row> Attempt::Find(const Place& place) const {
  if (const auto touched = after_.find(place); touched != after_.end()) {
    return touched->second;
  }
  const auto found = before_.find(place);
  if (found == before_.end() || !Exists(found->second, now_)) {
    return std::nullopt;
  }
  return found->second;
}

void Attempt::Write(const Place& place, Row row) {
  row.version = receipt_.version;
  after_[place] = std::move(row);
}

}  // namespace atrium::engines
