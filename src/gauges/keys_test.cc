// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "gauges/keys.h"

#include <gtest/gtest.h>

#include <chrono>

#include "base/hex.h"
#include "base/instant.h"
#include "gauges/records.h"
#include "store/record.h"

namespace atrium::gauges {
namespace {

Instant At() {
  return ParseInstant("2027-01-15T08:05:00.000Z").value();
}

// Golden, as docs/formats/gauges.md shows them.

TEST(GaugeKeysTest, APointLiesWithThoseOfItsLengthInTheOrderOfTime) {
  const store::Key key = PointKey(std::chrono::minutes(5), At());
  EXPECT_EQ(key.partition, "300");
  EXPECT_EQ(EncodeHex(key.sort), "800001a31860e3e0");
}

TEST(GaugeKeysTest, APointIsWrittenLikeThis) {
  const Point point{.step_s = 300,
                    .at = At(),
                    .seconds = 299,
                    .requests = 412,
                    .errors = 1,
                    .bytes_in = 10'000,
                    .bytes_out = 2'000'000,
                    .store_bytes = 3'000'000,
                    .blob_bytes = 40'000'000,
                    .users = 12,
                    .sessions = 5};
  const std::string document = store::EncodeRecord(point);
  EXPECT_EQ(document,
            R"({"step_s":300,"at":"2027-01-15T08:05:00.000Z","seconds":299,"requests":412,)"
            R"("errors":1,"bytes_in":10000,"bytes_out":2000000,"store_bytes":3000000,)"
            R"("blob_bytes":40000000,"users":12,"sessions":5})");
  EXPECT_EQ(store::DecodeRecord<Point>(document, {}).value().record, point);
}

TEST(GaugeKeysTest, APointGoesWhenItsTimeIsOver) {
  const Point point{.step_s = 300, .at = At()};
  EXPECT_EQ(Points().ExpiryOf(point), At() + std::chrono::days(2));
}

TEST(GaugeKeysTest, APointOfALengthThatNobodyKeepsGoesAtItsEnd) {
  const Point point{.step_s = 60, .at = At()};
  EXPECT_EQ(Points().ExpiryOf(point), At() + std::chrono::minutes(1));
}

}  // namespace
}  // namespace atrium::gauges
