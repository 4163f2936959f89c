// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <mutex>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "engines/conformance/crew.h"
#include "engines/conformance/engine_testing.h"

namespace atrium::engines {
namespace {

using store::Add;
using store::Append;
using store::Check;
using store::Expectation;
using store::Key;
using store::Put;
using store::Version;

constexpr std::size_t kThreads = 8;

/// What many threads do to one engine at once, and what must hold of it.
class Histories : public EngineTest {
 protected:
  std::int64_t NumberAt(const store::Table& table, const Key& key) {
    const std::optional<store::Row> row = Get(table, key);
    return row ? std::stoll(row->document) : 0;
  }
};
FOR_ALL_ENGINES(Histories);

/// Counters in different tables and partitions.
struct Account {
  const store::Table* table;
  Key key;
};

std::vector<Account> Accounts() {
  return {{&kThings, {"p", "a"}}, {&kThings, {"p", "b"}}, {&kThings, {"q", "a"}},
          {&kOthers, {"p", "a"}}, {&kOthers, {"r", "c"}}, {&kHighByte, {"s", ""}}};
}

Add Move(const Account& account, std::int64_t amount) {
  return {.table = account.table,
          .key = account.key,
          .counter = "balance",
          .delta = amount,
          .at_least = 0};
}

TEST_P(Histories, TransfersConserveTheSum) {
  constexpr std::int64_t kEach = 20;
  const std::vector<Account> accounts = Accounts();
  for (const Account& account : accounts) {
    Committed(Move(account, kEach));
  }
  std::array<std::int64_t, 2> done = {};
  std::mutex mutex;
  RunTogether(kThreads, [&](std::size_t thread) {
    std::mt19937_64 random(thread);
    std::array<std::int64_t, 2> mine = {};
    for (int i = 0; i < 400; ++i) {
      const Account& from = accounts[random() % accounts.size()];
      const Account& to = accounts[random() % accounts.size()];
      if (&from == &to) {
        continue;
      }
      const auto amount = static_cast<std::int64_t>(1 + random() % 15);
      const Result<store::Receipt> receipt = Commit(Move(from, -amount), Move(to, amount));
      if (!receipt) {
        EXPECT_THAT(receipt, FailsWith(ErrorCode::kLimitExceeded));
      }
      ++mine[receipt ? 0 : 1];
    }
    const std::scoped_lock lock(mutex);
    done[0] += mine[0];
    done[1] += mine[1];
  });
  std::int64_t sum = 0;
  for (const Account& account : accounts) {
    const std::int64_t balance = CounterAt(*account.table, account.key, "balance");
    EXPECT_GE(balance, 0);
    sum += balance;
  }
  EXPECT_EQ(sum, kEach * static_cast<std::int64_t>(accounts.size()));
  EXPECT_GT(done[0], 0);
  EXPECT_GT(done[1], 0) << "no transfer met its bound: the run shows less than it should";
}

TEST_P(Histories, APageIsOneInstantOfItsPartition) {
  constexpr std::size_t kRows = 10;
  const auto row = [](std::size_t number) { return Key{"page", std::to_string(number)}; };
  for (std::size_t i = 0; i < kRows; ++i) {
    Committed(Add{&kThings, row(i), "balance", 100});
  }
  RunWatched({.workers = kThreads - 2,
              .work =
                  [&](std::size_t thread) {
                    std::mt19937_64 random(thread);
                    for (int i = 0; i < 300; ++i) {
                      const std::size_t from = random() % kRows;
                      const std::size_t to = (from + 1 + random() % (kRows - 1)) % kRows;
                      EXPECT_THAT(Commit(Add{&kThings, row(from), "balance", -7},
                                         Add{&kThings, row(to), "balance", 7}),
                                  IsOk());
                    }
                  },
              .watchers = 2,
              .watch =
                  [&](std::size_t watcher) {
                    const store::Page page =
                        OnePage({.table = &kThings,
                                 .partition = "page",
                                 .direction = watcher == 0 ? store::Direction::kForward
                                                           : store::Direction::kBackward});
                    std::int64_t sum = 0;
                    for (const store::KeyedRow& one : page.rows) {
                      sum += store::CounterOf(one.row.counters, "balance");
                    }
                    EXPECT_EQ(page.rows.size(), kRows);
                    EXPECT_EQ(sum, 100 * static_cast<std::int64_t>(kRows));
                  }});
}

TEST_P(Histories, WhoeverHasSeenOneRowOfACommitSeesAllOfIt) {
  const std::array<Account, 3> places = {
      {{&kThings, {"p", "s"}}, {&kOthers, {"q", "t"}}, {&kLast, {"r", "u"}}}};
  std::atomic<std::int64_t> last = 0;
  RunWatched({.workers = 2,
              .work =
                  [&](std::size_t) {
                    for (int i = 0; i < 500; ++i) {
                      const std::string number = std::to_string(++last);
                      EXPECT_THAT(Commit(Put{places[0].table, places[0].key, number},
                                         Add{places[1].table, places[1].key, "n", 1},
                                         Put{places[2].table, places[2].key, number},
                                         Append{&kLog, "l", number}),
                                  IsOk());
                    }
                  },
              .watchers = kThreads - 2,
              .watch =
                  [&](std::size_t watcher) {
                    // Versions, because the numbers of two writers may pass each other.
                    Version seen;
                    for (std::size_t i = 0; i < places.size(); ++i) {
                      const Account& place = places[(i + watcher) % places.size()];
                      const std::optional<store::Row> row = Get(*place.table, place.key);
                      EXPECT_GE(row ? row->version : Version{}, seen);
                      seen = row ? row->version : seen;
                    }
                    const std::optional<store::Row> head = Get(kLog, {"l", store::SequenceKey(0)});
                    EXPECT_GE(head ? head->version : Version{}, seen);
                  }});
  EXPECT_EQ(CounterAt(kOthers, {"q", "t"}, "n"), 1000);
}

TEST_P(Histories, AClaimHasExactlyOneWinner) {
  constexpr std::size_t kNames = 150;
  std::array<std::atomic<int>, kNames> winners = {};
  RunTogether(kThreads, [&](std::size_t thread) {
    for (std::size_t name = 0; name < kNames; ++name) {
      const std::string text = std::to_string(name);
      const std::string owner = std::to_string(thread);
      const Result<store::Receipt> receipt =
          Commit(Put{&kOthers, {text, ""}, owner, Expectation::Absent()},
                 Put{&kThings, {owner, text}, "{}", Expectation::Absent()},
                 Add{&kThings, {"totals", ""}, "names", 1}, Append{&kLog, "claims", text});
      if (receipt) {
        ++winners.at(name);
      } else {
        EXPECT_THAT(receipt, FailsWith(ErrorCode::kConflict));
      }
    }
  });
  for (std::size_t name = 0; name < kNames; ++name) {
    const std::string text = std::to_string(name);
    EXPECT_EQ(winners.at(name), 1) << name;
    const std::string owner = DocumentAt(kOthers, {text, ""});
    EXPECT_EQ(DocumentAt(kThings, {owner, text}), "{}") << name;
  }
  // No loser left a record: one for each name, and the totals.
  EXPECT_EQ(WalkAll(kThings).size(), kNames + 1);
  EXPECT_EQ(CounterAt(kThings, {"totals", ""}, "names"), kNames);
  EXPECT_EQ(CounterAt(kLog, {"claims", store::SequenceKey(0)}, store::kSequenceCounter), kNames);
}

TEST_P(Histories, NoUpdateIsLostWhenEachExpectsWhatItRead) {
  constexpr std::int64_t kIncrements = 60;
  const Key key{"p", "s"};
  Committed(Put{&kThings, key, "0"});
  std::atomic<std::int64_t> conflicts = 0;
  RunTogether(kThreads, [&](std::size_t) {
    for (std::int64_t done = 0; done < kIncrements;) {
      const std::optional<store::Row> row = Get(kThings, key);
      ASSERT_TRUE(row);
      const Result<store::Receipt> receipt =
          Commit(Put{&kThings, key, std::to_string(std::stoll(row->document) + 1),
                     Expectation::At(row->version)});
      if (receipt) {
        EXPECT_GT(receipt->version, row->version);
        ++done;
      } else {
        ASSERT_THAT(receipt, FailsWith(ErrorCode::kConflict));
        ++conflicts;
      }
    }
  });
  EXPECT_EQ(NumberAt(kThings, key), kIncrements * static_cast<std::int64_t>(kThreads));
  RecordProperty("conflicts", std::to_string(conflicts));
}

TEST_P(Histories, CountersNeedNoExpectationToBeExact) {
  RunTogether(kThreads, [&](std::size_t thread) {
    for (int i = 0; i < 250; ++i) {
      EXPECT_THAT(Commit(Add{&kThings, {"p", "s"}, "n", 1},
                         Add{&kThings, {"p", "s"}, std::to_string(thread), 1}),
                  IsOk());
    }
  });
  EXPECT_EQ(CounterAt(kThings, {"p", "s"}, "n"), 250 * static_cast<std::int64_t>(kThreads));
  EXPECT_EQ(CounterAt(kThings, {"p", "s"}, "3"), 250);
}

TEST_P(Histories, NumbersOfALogAreDenseAndInTheOrderOfVersions) {
  constexpr std::size_t kCommits = 200;
  std::mutex mutex;
  std::vector<std::pair<std::uint64_t, Version>> given;
  RunTogether(kThreads, [&](std::size_t thread) {
    std::vector<std::pair<std::uint64_t, Version>> mine;
    for (std::size_t i = 0; i < kCommits; ++i) {
      const Result<store::Receipt> receipt =
          Commit(Append{&kLog, "l", std::to_string(thread)},
                 Put{&kThings, {std::to_string(thread), std::to_string(i)}, "{}"});
      ASSERT_THAT(receipt, IsOk());
      mine.emplace_back(receipt->appended.at(0), receipt->version);
    }
    EXPECT_TRUE(std::ranges::is_sorted(mine)) << "a thread's own numbers grow";
    const std::scoped_lock lock(mutex);
    given.insert(given.end(), mine.begin(), mine.end());
  });
  std::ranges::sort(given);
  ASSERT_EQ(given.size(), kThreads * kCommits);
  for (std::size_t i = 0; i < given.size(); ++i) {
    ASSERT_EQ(given[i].first, i + 1);
    ASSERT_TRUE(i == 0 || given[i - 1].second < given[i].second);
    ASSERT_EQ(Get(kLog, {"l", store::SequenceKey(i + 1)})->version, given[i].second);
  }
}

TEST_P(Histories, ACommitThatBeginsAfterAnotherReturnedHasAHigherVersion) {
  std::atomic<std::uint64_t> returned = 0;
  RunTogether(kThreads, [&](std::size_t thread) {
    for (int i = 0; i < 250; ++i) {
      const std::uint64_t before = returned.load();
      const Version version = Committed(Put{&kThings, {std::to_string(thread), "s"}, "{}"});
      EXPECT_GT(version.number, before);
      std::uint64_t highest = returned.load();
      while (highest < version.number && !returned.compare_exchange_weak(highest, version.number)) {
      }
      // Read by whoever begins after the commit returned.
      EXPECT_GE(Get(kThings, {std::to_string(thread), "s"})->version, version);
    }
  });
}

TEST_P(Histories, RowsThatWereOnlyReadAreHeldByChecks) {
  // Two switches in different tables, of which at most one may be on. Each thread turns one on only
  // if it read that the other is off; without the check on what it read, both could be on.
  const std::array<Account, 2> switches = {{{&kThings, {"p", "s"}}, {&kOthers, {"q", "t"}}}};
  for (const Account& one : switches) {
    Committed(Put{one.table, one.key, "0"});
  }
  std::atomic<int> turned_on = 0;
  RunTogether(kThreads, [&](std::size_t thread) {
    const Account& mine = switches.at(thread % 2);
    const Account& other = switches.at(1 - thread % 2);
    for (int i = 0; i < 150; ++i) {
      const std::optional<store::Row> my_row = Get(*mine.table, mine.key);
      const std::optional<store::Row> other_row = Get(*other.table, other.key);
      const bool on = my_row->document == "0" && other_row->document == "0";
      const Result<store::Receipt> receipt =
          Commit(Put{mine.table, mine.key, on ? "1" : "0", Expectation::At(my_row->version)},
                 Check{other.table, other.key, Expectation::At(other_row->version)},
                 Append{&kLog, "switches", std::to_string(thread % 2) + (on ? "1" : "0")});
      turned_on += receipt && on ? 1 : 0;
    }
  });
  EXPECT_GT(turned_on, 0);
  std::array<char, 2> state = {'0', '0'};
  store::ScanRequest request{.table = &kLog,
                             .partition = "switches",
                             .range = {.from = store::SequenceKey(1)},
                             .limit = 1000};
  do {
    store::Page page = OnePage(request);
    for (const store::KeyedRow& row : page.rows) {
      state.at(row.row.document[0] == '0' ? 0 : 1) = row.row.document[1];
      ASSERT_FALSE(state[0] == '1' && state[1] == '1') << store::SequenceOf(row.key.sort);
    }
    request.after = std::move(page.resume);
  } while (request.after);
}

}  // namespace
}  // namespace atrium::engines
