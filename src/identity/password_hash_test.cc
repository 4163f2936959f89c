// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/password_hash.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::identity {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;
using ::testing::MatchesRegex;

/// As cheap as Argon2 gets.
HasherOptions Cheap() {
  return {.memory_kib = 64, .iterations = 1, .lanes = 1};
}

std::string HashOf(PasswordHasher& hasher, std::string_view password) {
  const Result<std::string> hash = hasher.Hash(password);
  EXPECT_THAT(hash, IsOk());
  return hash.value_or("");
}

TEST(PasswordHashTest, TheRightPasswordMatches) {
  PasswordHasher hasher(Cheap());
  const std::string hash = HashOf(hasher, "correct horse battery");
  EXPECT_THAT(hasher.Verify("correct horse battery", hash), Holds(PasswordMatch::kYes));
}

TEST(PasswordHashTest, AnyOtherPasswordDoesNot) {
  PasswordHasher hasher(Cheap());
  const std::string hash = HashOf(hasher, "correct horse battery");
  for (const char* other :
       {"", "correct horse batter", "correct horse battery ", "Correct horse battery"}) {
    EXPECT_THAT(hasher.Verify(other, hash), Holds(PasswordMatch::kNo)) << other;
  }
}

TEST(PasswordHashTest, AZeroByteDoesNotEndAPassword) {
  PasswordHasher hasher(Cheap());
  const std::string hash = HashOf(hasher, std::string_view("abc\0def", 7));
  EXPECT_THAT(hasher.Verify("abc", hash), Holds(PasswordMatch::kNo));
  EXPECT_THAT(hasher.Verify(std::string_view("abc\0def", 7), hash), Holds(PasswordMatch::kYes));
}

TEST(PasswordHashTest, TheHashNamesItsParameters) {
  PasswordHasher hasher;
  EXPECT_THAT(HashOf(hasher, "correct horse battery"),
              MatchesRegex("\\$argon2id\\$v=19\\$m=19456,t=2,p=1\\$[A-Za-z0-9+/]{22}"
                           "\\$[A-Za-z0-9+/]{43}"));
}

TEST(PasswordHashTest, OnePasswordHasManyHashes) {
  PasswordHasher hasher(Cheap());
  EXPECT_NE(HashOf(hasher, "correct horse battery"), HashOf(hasher, "correct horse battery"));
}

TEST(PasswordHashTest, AHashOfAnotherProgramIsUnderstood) {
  // From the tests of the reference implementation.
  constexpr std::string_view kReference =
      "$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$"
      "CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
  PasswordHasher hasher(Cheap());
  EXPECT_THAT(hasher.Verify("password", kReference), Holds(PasswordMatch::kYesButOld));
}

TEST(PasswordHashTest, AHashWithOtherParametersIsToBeReplaced) {
  PasswordHasher old(Cheap());
  const std::string hash = HashOf(old, "correct horse battery");
  for (const HasherOptions& options :
       {HasherOptions{.memory_kib = 72, .iterations = 1, .lanes = 1},
        HasherOptions{.memory_kib = 64, .iterations = 2, .lanes = 1},
        HasherOptions{.memory_kib = 64, .iterations = 1, .lanes = 2}}) {
    PasswordHasher today(options);
    EXPECT_THAT(today.Verify("correct horse battery", hash), Holds(PasswordMatch::kYesButOld));
    EXPECT_THAT(today.Verify("wrong horse battery", hash), Holds(PasswordMatch::kNo));
  }
}

TEST(PasswordHashTest, MalformedHashesAreCorrupt) {
  PasswordHasher hasher(Cheap());
  const std::string good = HashOf(hasher, "correct horse battery");
  const std::array<std::string, 12> malformed{
      "",
      "correct horse battery",
      good.substr(1),
      good.substr(0, good.size() - 40),
      good + "!",
      good + '\0',
      "$argon2i$v=19$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
      "$argon2id$v=16$m=64,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
      "$argon2id$v=19$m=,t=1,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
      "$argon2id$v=19$m=64,t=1,p=1$$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc",
      "$argon2id$v=19$m=64,t=1,p=1$c29tZXNhbHQ$",
      "$2b$12$abcdefghijklmnopqrstuuABCDEFGHIJKLMNOPQRSTUVWXYZ01234",
  };
  for (const std::string& encoded : malformed) {
    EXPECT_THAT(hasher.Verify("correct horse battery", encoded), FailsWith(ErrorCode::kCorrupt))
        << encoded;
  }
}

TEST(PasswordHashTest, ADamagedHashCannotDemandTheMachine) {
  PasswordHasher hasher(Cheap());
  for (const char* cost :
       {"m=4194304,t=1,p=1", "m=64,t=4294967295,p=1", "m=4096,t=1,p=300", "m=99999999999,t=1,p=1",
        "m=7,t=1,p=1", "m=64,t=0,p=1", "m=64,t=1,p=0"}) {
    const std::string encoded = std::string("$argon2id$v=19$") + cost +
                                "$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc";
    EXPECT_THAT(hasher.Verify("password", encoded), FailsWith(ErrorCode::kCorrupt)) << cost;
  }
}

TEST(PasswordHashTest, NobodysPasswordCanBeVerified) {
  PasswordHasher hasher(Cheap());
  EXPECT_THAT(hasher.VerifyAgainstNobody("correct horse battery"), IsOk());
  EXPECT_THAT(hasher.VerifyAgainstNobody(""), IsOk());
}

TEST(PasswordHashTest, ManyThreadsShareOneHasher) {
  HasherOptions options = Cheap();
  options.wait = seconds(60);
  PasswordHasher hasher(options);
  const std::string hash = HashOf(hasher, "correct horse battery");
  std::vector<std::jthread> threads;
  threads.reserve(8);
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&hasher, &hash] {
      EXPECT_THAT(hasher.Verify("correct horse battery", hash), Holds(PasswordMatch::kYes));
    });
  }
}

TEST(PasswordHashDeathTest, ImpossibleOptionsAreAMistakeOfOurs) {
  EXPECT_DEATH(PasswordHasher({.memory_kib = 7}), "within its bounds");
  EXPECT_DEATH(PasswordHasher({.iterations = 0}), "within its bounds");
  EXPECT_DEATH(PasswordHasher({.parallel_max = 0}), "at least one");
}

TEST(HashTurnsTest, SoManyWorkAtOnce) {
  HashTurns turns({.parallel_max = 2, .waiting_max = 0});
  const auto one = turns.Take();
  const auto two = turns.Take();
  EXPECT_THAT(one, IsOk());
  EXPECT_THAT(two, IsOk());
  EXPECT_THAT(turns.Take(), FailsWith(ErrorCode::kUnavailable));
}

TEST(HashTurnsTest, WhoIsSentAwayIsToldWhenToComeBack) {
  HashTurns turns({.parallel_max = 1, .waiting_max = 0});
  const auto held = turns.Take();
  const auto refused = turns.Take();
  ASSERT_THAT(refused, FailsWith(ErrorCode::kUnavailable));
  EXPECT_GT(refused.error().retry_after, seconds(0));
}

TEST(HashTurnsTest, WhoWaitsTooLongIsSentAway) {
  HashTurns turns({.parallel_max = 1, .waiting_max = 1, .wait = milliseconds(1)});
  const auto held = turns.Take();
  EXPECT_THAT(turns.Take(), FailsWith(ErrorCode::kUnavailable));
  EXPECT_EQ(turns.Waiting(), 0U);
}

TEST(HashTurnsTest, ATurnThatEndsMakesRoom) {
  HashTurns turns({.parallel_max = 1, .waiting_max = 0});
  {
    const auto held = turns.Take();
  }
  EXPECT_THAT(turns.Take(), IsOk());
}

TEST(HashTurnsTest, WhoWaitsGetsTheNextTurnAndTheLineIsBounded) {
  HashTurns turns({.parallel_max = 1, .waiting_max = 1, .wait = seconds(60)});
  std::jthread waiter;
  {
    const auto held = turns.Take();
    waiter = std::jthread([&turns] { EXPECT_THAT(turns.Take(), IsOk()); });
    while (turns.Waiting() == 0) {
      std::this_thread::yield();
    }
    EXPECT_THAT(turns.Take(), FailsWith(ErrorCode::kUnavailable));
  }
  waiter.join();
  EXPECT_THAT(turns.Take(), IsOk());
}

}  // namespace
}  // namespace atrium::identity
