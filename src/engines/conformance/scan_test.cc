// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "engines/conformance/engine_testing.h"
#include "store/op_context_testing.h"

namespace atrium::engines {
namespace {

using std::chrono::hours;
using store::Direction;
using store::Erase;
using store::Put;
using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::Optional;

class Scan : public EngineTest {
 protected:
  void SetUp() override {
    for (const char* sort : {"d", "b", "e", "a", "c"}) {
      Committed(Put{&kThings, {"p", sort}, sort});
    }
    Committed(Put{&kThings, {"o", "b"}, "o"}, Put{&kThings, {"pp", "b"}, "pp"},
              Put{&kOthers, {"p", "bb"}, "other"});
  }

  static store::ScanRequest Request(store::Range range = {}) {
    return {.table = &kThings, .partition = "p", .range = std::move(range)};
  }
  static store::ScanRequest Backward(store::Range range = {}) {
    store::ScanRequest request = Request(std::move(range));
    request.direction = Direction::kBackward;
    return request;
  }
};
FOR_ALL_ENGINES(Scan);

TEST_P(Scan, APageIsInTheOrderOfItsSortKeys) {
  EXPECT_THAT(Sorts(Request()), ElementsAre("a", "b", "c", "d", "e"));
  EXPECT_THAT(Sorts(Backward()), ElementsAre("e", "d", "c", "b", "a"));
}

TEST_P(Scan, ASinkSeesWholeRows) {
  const auto expires_at = In(hours(1));
  const store::Version version =
      Committed(Put{&kThings, {"full", "s"}, "{1}", store::Expectation::None(), expires_at});
  const store::Version later = Committed(store::Add{&kThings, {"full", "s"}, "n", 7});
  EXPECT_LT(version, later);
  EXPECT_THAT(OnePage({.table = &kThings, .partition = "full"}).rows,
              ElementsAre(store::KeyedRow{.key = {"full", "s"},
                                          .row = {.document = "{1}",
                                                  .version = later,
                                                  .expires_at = expires_at,
                                                  .counters = {{"n", 7}}}}));
}

TEST_P(Scan, APartitionWithoutRowsIsAnEmptyPage) {
  const store::Page page = OnePage({.table = &kThings, .partition = "nobody"});
  EXPECT_THAT(page.rows, IsEmpty());
  EXPECT_EQ(page.resume, std::nullopt);
}

TEST_P(Scan, ARangeHoldsItsBeginningAndNotItsEnd) {
  const store::Range range{.from = "b", .before = "d"};
  EXPECT_THAT(Sorts(Request(range)), ElementsAre("b", "c"));
  EXPECT_THAT(Sorts(Backward(range)), ElementsAre("c", "b"));
}

TEST_P(Scan, BoundsNeedNotBeRows) {
  const store::Range range{.from = "aa", .before = "dd"};
  EXPECT_THAT(Sorts(Request(range)), ElementsAre("b", "c", "d"));
  EXPECT_THAT(Sorts(Backward(range)), ElementsAre("d", "c", "b"));
}

TEST_P(Scan, AnEmptyBoundIsOpen) {
  EXPECT_THAT(Sorts(Request({.from = "d"})), ElementsAre("d", "e"));
  EXPECT_THAT(Sorts(Request({.before = "c"})), ElementsAre("a", "b"));
  EXPECT_THAT(Sorts(Backward({.from = "d"})), ElementsAre("e", "d"));
  EXPECT_THAT(Sorts(Backward({.before = "c"})), ElementsAre("b", "a"));
}

TEST_P(Scan, ARangeThatEndsBeforeItBeginsIsEmpty) {
  for (const store::Range& range :
       {store::Range{.from = "c", .before = "c"}, store::Range{.from = "d", .before = "b"},
        store::Range{.from = "x", .before = "y"}}) {
    EXPECT_THAT(Sorts(Request(range)), IsEmpty());
    EXPECT_THAT(Sorts(Backward(range)), IsEmpty());
  }
}

TEST_P(Scan, PagesOfAnySizeMakeUpTheWhole) {
  for (std::size_t limit = 1; limit <= 6; ++limit) {
    store::ScanRequest forward = Request();
    forward.limit = limit;
    EXPECT_THAT(Sorts(forward), ElementsAre("a", "b", "c", "d", "e"));
    store::ScanRequest backward = Backward({.from = "b", .before = "e"});
    backward.limit = limit;
    EXPECT_THAT(Sorts(backward), ElementsAre("d", "c", "b"));
  }
}

TEST_P(Scan, AFullPageSaysWhereToGoOn) {
  store::ScanRequest request = Request();
  request.limit = 2;
  EXPECT_THAT(OnePage(request).resume, Optional(std::string("b")));
  request.direction = Direction::kBackward;
  EXPECT_THAT(OnePage(request).resume, Optional(std::string("d")));
}

TEST_P(Scan, APageThatEndsWithTheLastRowHasNoSuccessor) {
  store::ScanRequest request = Request();
  request.limit = 5;
  EXPECT_EQ(OnePage(request).resume, std::nullopt);
  request.range.before = "c";
  request.limit = 2;
  EXPECT_EQ(OnePage(request).resume, std::nullopt);
  request.direction = Direction::kBackward;
  EXPECT_EQ(OnePage(request).resume, std::nullopt);
}

TEST_P(Scan, APageGoesOnBehindARowThatIsGone) {
  store::ScanRequest request = Request();
  request.limit = 2;
  request.after = OnePage(request).resume;
  Committed(Erase{&kThings, {"p", *request.after}});
  EXPECT_THAT(Sorts(request), ElementsAre("c", "d", "e"));
}

TEST_P(Scan, AfterTheEmptySortKeyComesTheNextOne) {
  Committed(Put{&kThings, {"p", ""}, "first"});
  store::ScanRequest request = Request();
  request.limit = 1;
  EXPECT_THAT(OnePage(request).resume, Optional(std::string()));
  EXPECT_THAT(Sorts(request), ElementsAre("", "a", "b", "c", "d", "e"));
  store::ScanRequest backward = Backward();
  backward.after = "";
  EXPECT_THAT(Sorts(backward), IsEmpty());
}

TEST_P(Scan, AfterOutsideTheRangeStaysWithinIt) {
  store::ScanRequest request = Request({.from = "c"});
  request.after = "a";
  EXPECT_THAT(Sorts(request), ElementsAre("c", "d", "e"));
  request.after = "z";
  EXPECT_THAT(Sorts(request), IsEmpty());
  store::ScanRequest backward = Backward({.before = "c"});
  backward.after = "e";
  EXPECT_THAT(Sorts(backward), ElementsAre("b", "a"));
}

TEST_P(Scan, BoundsAreBytes) {
  for (const std::string& sort : {Bytes(""), Bytes("\0"), Bytes("\0\0"), Bytes("a\0"),
                                  Bytes("a\xff"), Bytes("\xff"), Bytes("\xff\xff")}) {
    Committed(Put{&kThings, {"bytes", sort}, "{}"});
  }
  const auto within = [](store::Range range) {
    return store::ScanRequest{
        .table = &kThings, .partition = "bytes", .range = std::move(range), .limit = 1};
  };
  EXPECT_THAT(Sorts(within({.from = Bytes("\0"), .before = Bytes("a\0")})),
              ElementsAre(Bytes("\0"), Bytes("\0\0")));
  EXPECT_THAT(Sorts(within({.from = Bytes("a\0"), .before = Bytes("\xff")})),
              ElementsAre(Bytes("a\0"), Bytes("a\xff")));
  EXPECT_THAT(Sorts(within({.from = Bytes("\xff")})),
              ElementsAre(Bytes("\xff"), Bytes("\xff\xff")));
  EXPECT_THAT(Sorts(within({.before = Bytes("\0")})), ElementsAre(Bytes("")));
}

TEST_P(Scan, ThousandsOfExpiredRowsArePassedOver) {
  store::WriteSet writes;
  for (std::uint64_t i = 0; i < 5000; ++i) {
    writes.mutations.emplace_back(Put{
        &kThings, {"old", store::SequenceKey(i)}, "{}", store::Expectation::None(), In(hours(1))});
    if (writes.mutations.size() == 100) {
      ASSERT_THAT(Store().Commit(store::kTestOp, std::exchange(writes, {})), IsOk());
    }
  }
  Committed(Put{&kThings, {"old", ""}, "first"}, Put{&kThings, {"old", "~"}, "last"});
  Time().Advance(hours(1));
  EXPECT_THAT(Sorts({.table = &kThings, .partition = "old", .limit = 2}), ElementsAre("", "~"));
  EXPECT_THAT(
      Sorts({.table = &kThings, .partition = "old", .limit = 2, .direction = Direction::kBackward}),
      ElementsAre("~", ""));
}

}  // namespace
}  // namespace atrium::engines
