// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/api.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "base/testing.h"
#include "store/notes_testing.h"

namespace atrium::api {
namespace {

using http::Method;
using store::testing::Note;
using store::testing::NoteKey;
using store::testing::Notes;

class Person final : public http::Principal {
 public:
  explicit Person(std::string name) : name_(std::move(name)) {}
  std::string Name() const override { return name_; }

 private:
  std::string name_;
};

/// A room with one kind of thing, behind the API.
class ApiTest : public ::testing::Test, protected store::testing::NoteStore {
 protected:
  using Fields = std::vector<std::pair<std::string, std::string>>;

  ApiTest() {
    api_.Add(RouteOf(Method::kPut, "/notes/{id}"),
             [this](const Call& call, const std::string& id) -> Result<http::Reply> {
               ++runs_;
               if (before_commit_) {
                 std::exchange(before_commit_, nullptr)();
               }
               store::Batch batch;
               batch.Create(Notes(), Note{.id = id, .folder = std::string(call.request.body)});
               const std::string body = batch.GetAnswer().body;
               ASSIGN_OR_RETURN(const store::Receipt receipt,
                                store.Commit(call.op, std::move(batch)));
               http::Reply reply = http::JsonReply(body, 201);
               reply.etag = TagOf(receipt.version);
               return reply;
             });
    api_.Add(RouteOf(Method::kGet, "/notes/{id}"),
             [this](const Call& call, const std::string&) -> Result<http::Reply> {
               ++runs_;
               EXPECT_EQ(call.op.once, nullptr);
               EXPECT_EQ(call.op.trace, "request-1");
               return http::EmptyReply();
             });
  }

  static http::Route RouteOf(Method method, std::string path) {
    return {.method = method,
            .path = std::move(path),
            .access = http::Anyone(),
            .work = http::Work::kBlocking,
            .summary = "for the test",
            .body_bytes_max = 1000};
  }

  Result<http::Reply> Ask(Method method, std::string_view path, std::string_view body,
                          const Fields& fields) {
    ASSIGN_OR_RETURN(const http::Match match, router_.Find(method, path));
    http::Request request{
        .method = method, .path = path, .body = body, .principal = principal_, .id = "request-1"};
    for (const auto& [name, value] : fields) {
      request.headers.Add(name, value);
    }
    return match.endpoint->answer(*match.endpoint, request, match.params);
  }

  Result<http::Reply> Put(std::string_view path, std::string_view body, const std::string& key) {
    return Ask(Method::kPut, path, body, {{"idempotency-key", key}});
  }

  http::Router router_;
  std::shared_ptr<const http::Principal> principal_ = std::make_shared<Person>("ann");
  Api api_{router_, store, clock};
  int runs_ = 0;
  std::function<void()> before_commit_;
};

TEST_F(ApiTest, WithoutAKeyEachRequestCounts) {
  EXPECT_THAT(Ask(Method::kPut, "/notes/1", "f", {}), IsOk());
  EXPECT_THAT(Ask(Method::kPut, "/notes/1", "f", {}), FailsWith(ErrorCode::kConflict));
}

TEST_F(ApiTest, TheSameRequestIsAnsweredAgainAndTakesEffectOnce) {
  const auto first = Put("/notes/1", "f", "k");
  const auto second = Put("/notes/1", "f", "k");
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(runs_, 1);
  EXPECT_EQ(second->status, 201);
  EXPECT_EQ(std::get<std::string>(second->body), std::get<std::string>(first->body));
  EXPECT_EQ(second->etag, first->etag);
  EXPECT_THAT(second->headers,
              ::testing::ElementsAre(::testing::Pair("Idempotency-Replayed", "true")));
}

TEST_F(ApiTest, TheSameKeyForAnotherRequestIsUnprocessable) {
  ASSERT_THAT(Put("/notes/1", "f", "k"), IsOk());
  EXPECT_EQ(Put("/notes/1", "g", "k")->status, 422);
  EXPECT_EQ(Put("/notes/2", "f", "k")->status, 422);
  EXPECT_EQ(runs_, 1);
}

TEST_F(ApiTest, KeysOfDifferentCallersNeverMeet) {
  ASSERT_THAT(Put("/notes/1", "f", "k"), IsOk());
  principal_ = std::make_shared<Person>("bob");
  EXPECT_THAT(Put("/notes/1", "f", "k"), FailsWith(ErrorCode::kConflict));
}

TEST_F(ApiTest, OfTwoAtOnceBothHearTheSame) {
  before_commit_ = [this] { ASSERT_THAT(Put("/notes/1", "f", "k"), IsOk()); };
  const auto slower = Put("/notes/1", "f", "k");
  ASSERT_THAT(slower, IsOk());
  EXPECT_EQ(runs_, 2);
  EXPECT_EQ(slower->status, 201);
  EXPECT_FALSE(slower->headers.empty());
}

TEST_F(ApiTest, AFailureIsNotRemembered) {
  ASSERT_THAT(Put("/notes/1", "f", "k"), IsOk());
  EXPECT_THAT(Put("/notes/1", "f", "other"), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(Put("/notes/1", "f", "other"), FailsWith(ErrorCode::kConflict));
  EXPECT_EQ(runs_, 3);
}

TEST_F(ApiTest, AKeyThatIsNoneIsRefused) {
  for (const std::string& key :
       {std::string(), std::string(256, 'k'), std::string("a b"), std::string("\xC3\xA4")}) {
    EXPECT_THAT(Put("/notes/1", "f", key), FailsWith(ErrorCode::kInvalidArgument));
  }
  EXPECT_THAT(
      Ask(Method::kPut, "/notes/1", "f", {{"Idempotency-Key", "a"}, {"Idempotency-Key", "b"}}),
      FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(runs_, 0);
}

TEST_F(ApiTest, ASafeMethodHasNoUseForAKey) {
  EXPECT_THAT(Ask(Method::kGet, "/notes/1", "", {{"Idempotency-Key", "k"}}), IsOk());
  EXPECT_EQ(runs_, 1);
}

TEST(IfMatchTest, HoldsTheChangeToTheVersionThatWasRead) {
  const auto check = [](std::string_view value) {
    http::Request request;
    request.headers.Add("If-Match", value);
    return CheckIfMatch(request, store::Version{7});
  };
  EXPECT_THAT(CheckIfMatch({}, store::Version{7}), IsOk());
  EXPECT_THAT(check("\"7\""), IsOk());
  EXPECT_THAT(check("\"5\", \"7\""), IsOk());
  EXPECT_THAT(check("*"), IsOk());
  EXPECT_THAT(check("\"8\""), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(check("W/\"7\""), FailsWith(ErrorCode::kConflict));
  EXPECT_THAT(check("seven"), FailsWith(ErrorCode::kInvalidArgument));
}

}  // namespace
}  // namespace atrium::api
