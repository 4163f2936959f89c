// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/router.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <memory>
#include <string>

#include "base/testing.h"

namespace atrium::http {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using ::testing::IsNull;
using ::testing::NotNull;

using RoomId = StrongId<struct RoomTag, Uuid>;

Route RouteOf(Method method, std::string path) {
  return {.method = method,
          .path = std::move(path),
          .access = Anyone(),
          .work = Work::kQuick,
          .summary = "for the test"};
}

class RouterTest : public ::testing::Test {
 protected:
  void AddPlain(Method method, const std::string& path) {
    router_.Add(RouteOf(method, path),
                [path](const Request&) -> Result<Reply> { return TextReply(path); });
  }

  /// The body of what the route answers.
  Result<std::string> Ask(Method method, std::string_view path) {
    ASSIGN_OR_RETURN(const Match match, router_.Find(method, path));
    if (match.endpoint == nullptr) {
      return Fail(ErrorCode::kNotFound, match.allow);
    }
    const Request request{.method = method, .path = path};
    ASSIGN_OR_RETURN(const Reply reply,
                     match.endpoint->answer(*match.endpoint, request, match.params));
    return std::get<std::string>(reply.body);
  }

  Router router_;
};

TEST_F(RouterTest, ARouteOfTwoStepsHasBoth) {
  router_.AddTwoStep(
      RouteOf(Method::kGet, "/api/days/{day}"),
      [](const Request&, std::uint32_t day) -> Result<std::optional<Reply>> {
        return day == 1 ? std::optional(TextReply("at once")) : std::nullopt;
      },
      [](const Request&, std::uint32_t day) -> Result<Reply> {
        return TextReply("later " + std::to_string(day));
      });
  EXPECT_THAT(Ask(Method::kGet, "/api/days/2"), Holds("later 2"));
  const auto match = router_.Find(Method::kGet, "/api/days/1");
  ASSERT_THAT(match, IsOk());
  const Endpoint& endpoint = *match->endpoint;
  EXPECT_EQ(endpoint.route.work, Work::kTwoStep);
  const auto ready = endpoint.answer_at_once(endpoint, {}, match->params);
  ASSERT_THAT(ready, IsOk());
  ASSERT_TRUE(ready->has_value());
  EXPECT_EQ(std::get<std::string>((*ready)->body), "at once");
}

TEST_F(RouterTest, PathIsFoundWithAndWithoutTrailingSlash) {
  AddPlain(Method::kGet, "/api/calendars");
  EXPECT_THAT(Ask(Method::kGet, "/api/calendars"), Holds("/api/calendars"));
  EXPECT_THAT(Ask(Method::kGet, "/api/calendars/"), Holds("/api/calendars"));
}

TEST_F(RouterTest, DoubledSlashesAreAnotherPath) {
  AddPlain(Method::kGet, "/api/calendars");
  EXPECT_THAT(Ask(Method::kGet, "/api//calendars"), FailsWith(ErrorCode::kNotFound));
}

TEST_F(RouterTest, RootIsARoute) {
  AddPlain(Method::kGet, "/");
  EXPECT_THAT(Ask(Method::kGet, "/"), Holds("/"));
}

TEST_F(RouterTest, UnknownPathGivesNeitherEndpointNorAllow) {
  AddPlain(Method::kGet, "/api/calendars");
  const Result<Match> match = router_.Find(Method::kGet, "/api");
  ASSERT_THAT(match, IsOk());
  EXPECT_THAT(match->endpoint, IsNull());
  EXPECT_THAT(match->allow, IsEmpty());
}

TEST_F(RouterTest, OtherMethodIsToldWhatIsAllowed) {
  AddPlain(Method::kGet, "/api/calendars");
  AddPlain(Method::kPost, "/api/calendars");
  const Result<Match> match = router_.Find(Method::kDelete, "/api/calendars");
  ASSERT_THAT(match, IsOk());
  EXPECT_THAT(match->endpoint, IsNull());
  EXPECT_EQ(match->allow, "OPTIONS, GET, HEAD, POST");
}

TEST_F(RouterTest, HeadFindsTheGetRoute) {
  AddPlain(Method::kGet, "/livez");
  const Result<Match> match = router_.Find(Method::kHead, "/livez");
  ASSERT_THAT(match, IsOk());
  EXPECT_THAT(match->endpoint, NotNull());
}

TEST_F(RouterTest, ParametersArriveAsTheirTypes) {
  router_.Add(RouteOf(Method::kGet, "/rooms/{room}/seats/{seat}"),
              [](const Request&, const RoomId& room, std::uint32_t seat) -> Result<Reply> {
                return TextReply(room.Render() + "/" + std::to_string(seat));
              });
  EXPECT_THAT(Ask(Method::kGet, "/rooms/0192f0c1-7c1e-7aaa-8b1d-0123456789ab/seats/7"),
              Holds("0192f0c1-7c1e-7aaa-8b1d-0123456789ab/7"));
}

TEST_F(RouterTest, ParameterOfTheWrongFormIsRefusedByName) {
  router_.Add(RouteOf(Method::kGet, "/rooms/{room}"),
              [](const Request&, const RoomId&) -> Result<Reply> { return EmptyReply(); });
  EXPECT_THAT(Ask(Method::kGet, "/rooms/kitchen"),
              FailsSaying(ErrorCode::kInvalidArgument, "room: \"kitchen\""));
}

TEST_F(RouterTest, NumbersMustBeWholeAndInRange) {
  router_.Add(RouteOf(Method::kGet, "/seats/{seat}"),
              [](const Request&, std::uint8_t seat) -> Result<Reply> {
                return TextReply(std::to_string(seat));
              });
  EXPECT_THAT(Ask(Method::kGet, "/seats/255"), Holds("255"));
  for (const char* bad : {"/seats/256", "/seats/-1", "/seats/1x", "/seats/+1", "/seats/%20"}) {
    EXPECT_THAT(Ask(Method::kGet, bad), FailsWith(ErrorCode::kInvalidArgument)) << bad;
  }
}

TEST_F(RouterTest, SegmentsAreDecodedAfterSplitting) {
  router_.Add(
      RouteOf(Method::kGet, "/names/{name}"),
      [](const Request&, const std::string& name) -> Result<Reply> { return TextReply(name); });
  EXPECT_THAT(Ask(Method::kGet, "/names/a%2Fb%20c"), Holds("a/b c"));
  EXPECT_THAT(Ask(Method::kGet, "/names/%C3%A9"), Holds("é"));
}

TEST_F(RouterTest, BrokenEscapesAndInvalidUtf8AreRefused) {
  AddPlain(Method::kGet, "/names");
  for (const char* bad : {"/%zz", "/%", "/%ff", "/%00"}) {
    EXPECT_THAT(router_.Find(Method::kGet, bad), FailsWith(ErrorCode::kInvalidArgument)) << bad;
  }
}

TEST_F(RouterTest, LiteralsWinOverParametersAndParametersOverTheRest) {
  AddPlain(Method::kGet, "/files/new");
  router_.Add(
      RouteOf(Method::kGet, "/files/{id}"),
      [](const Request&, const std::string& id) -> Result<Reply> { return TextReply("id " + id); });
  router_.Add(RouteOf(Method::kGet, "/{path...}"),
              [](const Request&, const RestOfPath& path) -> Result<Reply> {
                return TextReply("rest " + path.text);
              });
  EXPECT_THAT(Ask(Method::kGet, "/files/new"), Holds("/files/new"));
  EXPECT_THAT(Ask(Method::kGet, "/files/old"), Holds("id old"));
  EXPECT_THAT(Ask(Method::kGet, "/assets/page.css"), Holds("rest assets/page.css"));
}

TEST_F(RouterTest, WhatLeadsNowhereIsLeftToTheRouteOfEveryPath) {
  AddPlain(Method::kGet, "/api/calendars");
  router_.Add(
      RouteOf(Method::kGet, "/api/calendars/{id}"),
      [](const Request&, const std::string& id) -> Result<Reply> { return TextReply("id " + id); });
  router_.Add(RouteOf(Method::kGet, "/{path...}"),
              [](const Request&, const RestOfPath& path) -> Result<Reply> {
                return TextReply("rest " + path.text);
              });
  EXPECT_THAT(Ask(Method::kGet, "/api"), Holds("rest api"));
  EXPECT_THAT(Ask(Method::kHead, "/api/nothing"), Holds("rest api/nothing"));
  EXPECT_THAT(Ask(Method::kGet, "/api/calendars/7/n%20o"), Holds("rest api/calendars/7/n o"));
  EXPECT_THAT(Ask(Method::kGet, "/api//calendars"), Holds("rest api//calendars"));
  // Of other methods it knows nothing: neither an endpoint, nor that GET would be one.
  const Result<Match> match = router_.Find(Method::kPost, "/api/nothing");
  ASSERT_THAT(match, IsOk());
  EXPECT_THAT(match->endpoint, IsNull());
  EXPECT_THAT(match->allow, IsEmpty());
}

TEST_F(RouterTest, WhatMayBeASecretIsNotLoggedWhereItLedNowhere) {
  router_.Add(RouteOf(Method::kGet, "/feeds/{token}"),
              [](const Request&, const SecretSegment&) -> Result<Reply> { return EmptyReply(); });
  router_.Add(RouteOf(Method::kGet, "/{path...}"),
              [](const Request&, const RestOfPath&) -> Result<Reply> { return EmptyReply(); });
  const Result<Match> match = router_.Find(Method::kGet, "/feeds/s3cr3t/more");
  ASSERT_THAT(match, IsOk());
  EXPECT_EQ(router_.Loggable("/feeds/s3cr3t/more", match->endpoint), "/feeds/");
  EXPECT_EQ(router_.Loggable("/assets/page.css", match->endpoint), "/assets/page.css");
}

TEST_F(RouterTest, SecretParametersMarkTheEndpoint) {
  router_.Add(RouteOf(Method::kGet, "/feeds/{token}"),
              [](const Request&, const SecretSegment&) -> Result<Reply> { return EmptyReply(); });
  AddPlain(Method::kGet, "/open");
  EXPECT_TRUE(router_.Endpoints()[0]->HasSecretPath());
  EXPECT_FALSE(router_.Endpoints()[1]->HasSecretPath());
}

TEST_F(RouterTest, EndpointsKeepTheirOrderAndNames) {
  router_.Add(RouteOf(Method::kGet, "/a/{first}/b/{second}"),
              [](const Request&, const std::string&, std::uint32_t) -> Result<Reply> {
                return EmptyReply();
              });
  AddPlain(Method::kGet, "/c");
  ASSERT_EQ(router_.Endpoints().size(), 2U);
  EXPECT_EQ(router_.Endpoints()[0]->params[0].name, "first");
  EXPECT_EQ(router_.Endpoints()[0]->params[1].name, "second");
  EXPECT_EQ(router_.Endpoints()[1]->index, 1U);
}

using RouterDeathTest = RouterTest;

TEST_F(RouterDeathTest, TwoRoutesOfTheSameMethodAndPathEndTheProcess) {
  AddPlain(Method::kGet, "/a/b");
  EXPECT_DEATH(AddPlain(Method::kGet, "/a/b/"), "no two routes");
}

TEST_F(RouterDeathTest, ParametersMustBeAsManyAsTheHandlerHas) {
  EXPECT_DEATH(AddPlain(Method::kGet, "/a/{b}"), "a parameter for each");
  EXPECT_DEATH(
      router_.Add(RouteOf(Method::kGet, "/a"),
                  [](const Request&, std::uint32_t) -> Result<Reply> { return EmptyReply(); }),
      "a \\{name\\} for each");
}

TEST_F(RouterTest, WhatIsForTheControlSocketDoesNotExistForTheNetwork) {
  router_.Add(
      RouteOf(Method::kPost, "/{path...}"),
      [](const Request&, const RestOfPath&) -> Result<Reply> { return TextReply("anything"); });
  router_.Add({.method = Method::kPost,
               .path = "/control/backup",
               .access = ControlSocketOnly(),
               .work = Work::kQuick,
               .summary = "for the test"},
              [](const Request&) -> Result<Reply> { return TextReply("control"); });
  const auto pattern = [&](Method method, std::string_view path, Origin origin) {
    const Match match = router_.Find(method, path, origin).value();
    return match.endpoint != nullptr ? match.endpoint->route.path : "allow " + match.allow;
  };
  EXPECT_EQ(pattern(Method::kPost, "/control/backup", Origin::kNetwork), "/{path...}");
  EXPECT_EQ(pattern(Method::kPost, "/control/backup", Origin::kControlSocket), "/control/backup");
  EXPECT_EQ(pattern(Method::kGet, "/control/backup", Origin::kNetwork), "allow OPTIONS, POST");
  EXPECT_EQ(pattern(Method::kPost, "/other", Origin::kControlSocket), "/{path...}");
}

TEST_F(RouterTest, TheRuleOfTheControlSocketRefusesTheNetworkByItself) {
  EXPECT_THAT(ControlSocketOnly().Admit({.origin = Origin::kNetwork}),
              FailsWith(ErrorCode::kNotFound));
  EXPECT_THAT(ControlSocketOnly().Admit({.origin = Origin::kControlSocket}), IsOk());
}

/// Says nothing and hears nothing.
class SilentSession final : public SocketSession {
 public:
  Result<void> Receive(SocketMessage /*message*/) override { return {}; }
  Result<SocketTurn> Next(const Wake& /*wake*/) override { return SocketTurn{}; }
};

TEST_F(RouterTest, SocketsAreOpenedWithTheirParameters) {
  std::uint32_t asked_for = 0;
  router_.AddSocket(
      RouteOf(Method::kGet, "/rooms/{room}/live"),
      [&](const Request&, std::uint32_t room) -> Result<std::unique_ptr<SocketSession>> {
        asked_for = room;
        return std::make_unique<SilentSession>();
      });
  const Match match = router_.Find(Method::kGet, "/rooms/7/live/").value();
  ASSERT_THAT(match.endpoint, NotNull());
  EXPECT_THAT(match.endpoint->open(*match.endpoint, {}, match.params), Holds(NotNull()));
  EXPECT_EQ(asked_for, 7U);
}

TEST_F(RouterTest, WhatIsNoHandshakeIsRefusedByARouteOfSockets) {
  router_.AddSocket(RouteOf(Method::kGet, "/live"),
                    [](const Request&) -> Result<std::unique_ptr<SocketSession>> {
                      return std::make_unique<SilentSession>();
                    });
  EXPECT_THAT(Ask(Method::kGet, "/live"), FailsSaying(ErrorCode::kInvalidArgument, "WebSocket"));
}

TEST_F(RouterDeathTest, ASocketBeginsWithGet) {
  EXPECT_DEATH(router_.AddSocket(RouteOf(Method::kPost, "/live"),
                                 [](const Request&) -> Result<std::unique_ptr<SocketSession>> {
                                   return std::make_unique<SilentSession>();
                                 }),
               "begins with GET");
}

TEST(RouterRoomsTest, ARouteIsOfTheRoomWhoseFolderAddsIt) {
  Router router;
  for (const char* path : {"/a", "/b"}) {
    router.Add({.method = Method::kGet,
                .path = path,
                .access = Anyone(),
                .work = Work::kQuick,
                .summary = ""},
               [](const Request&) -> Result<Reply> { return EmptyReply(); });
  }
  EXPECT_EQ(router.Endpoints()[0]->room, "http");
  EXPECT_EQ(router.Endpoints()[1]->room, "http");
  EXPECT_EQ(router.Endpoints()[0]->room_index, router.Endpoints()[1]->room_index);
}

}  // namespace
}  // namespace atrium::http
