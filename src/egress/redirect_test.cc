// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/redirect.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"
#include "egress/message.h"
#include "egress/url.h"

namespace atrium::egress {
namespace {

using ::testing::ElementsAre;
using ::testing::Field;
using ::testing::IsEmpty;
using ::testing::Property;

OutgoingResponse Redirect(int status, const std::string& location) {
  return {.status = status, .headers = {{.name = "Location", .value = location}}};
}

Result<std::optional<OutgoingRequest>> Follow(const OutgoingRequest& request,
                                              const OutgoingResponse& response) {
  return FollowRedirect(request, ParseUrl(request.url).value(), response);
}

OutgoingRequest Followed(const OutgoingRequest& request, const OutgoingResponse& response) {
  return Follow(request, response).value().value_or(OutgoingRequest());
}

OutgoingRequest Upload(const std::string& method) {
  return {.method = method,
          .url = "https://a.example/x",
          .headers = {{.name = "Content-Type", .value = "text/plain"},
                      {.name = "Accept", .value = "*/*"}},
          .body = "hello"};
}

auto IsNotFollowed() {
  return Property(&std::optional<OutgoingRequest>::has_value, false);
}

auto Named(const std::string& name) {
  return Field(&Header::name, name);
}

TEST(RedirectTest, OtherResponsesAreNotFollowed) {
  const OutgoingRequest request{.url = "https://a.example/"};
  for (const int status : {200, 201, 300, 304, 305, 404}) {
    EXPECT_THAT(Follow(request, Redirect(status, "/y")), Holds(IsNotFollowed())) << status;
  }
}

TEST(RedirectTest, ARedirectWithoutLocationIsAnAnswer) {
  EXPECT_THAT(Follow({.url = "https://a.example/"}, {.status = 302}), Holds(IsNotFollowed()));
}

TEST(RedirectTest, ResolvesTheLocation) {
  EXPECT_EQ(Followed({.url = "https://a.example/x/y"}, Redirect(302, "z?q")).url,
            "https://a.example/x/z?q");
}

TEST(RedirectTest, PostBecomesGetOn301And302) {
  for (const int status : {301, 302, 303}) {
    const OutgoingRequest next = Followed(Upload("POST"), Redirect(status, "/y"));
    EXPECT_EQ(next.method, "GET") << status;
    EXPECT_EQ(next.body, "") << status;
    EXPECT_THAT(next.headers, ElementsAre(Named("Accept"))) << status;
  }
}

TEST(RedirectTest, OtherMethodsStayOn301And302AndBecomeGetOn303) {
  EXPECT_EQ(Followed(Upload("PUT"), Redirect(301, "/y")).method, "PUT");
  EXPECT_EQ(Followed(Upload("PUT"), Redirect(302, "/y")).body, "hello");
  EXPECT_EQ(Followed(Upload("PUT"), Redirect(303, "/y")).method, "GET");
  EXPECT_EQ(Followed({.method = "HEAD", .url = "https://a.example/"}, Redirect(303, "/y")).method,
            "HEAD");
}

TEST(RedirectTest, MethodAndBodyStayOn307And308) {
  for (const int status : {307, 308}) {
    const OutgoingRequest next = Followed(Upload("POST"), Redirect(status, "/y"));
    EXPECT_EQ(next.method, "POST") << status;
    EXPECT_EQ(next.body, "hello") << status;
    EXPECT_THAT(next.headers, ElementsAre(Named("Content-Type"), Named("Accept"))) << status;
  }
}

OutgoingRequest WithSecrets() {
  return {.url = "https://a.example/x",
          .headers = {{.name = "authorization", .value = "Bearer 1"},
                      {.name = "Cookie", .value = "a=b"},
                      {.name = "Accept", .value = "*/*"}},
          .secret_headers = {{.name = "X-Api-Key", .value = "2"}}};
}

TEST(RedirectTest, SecretsStayWithTheirOrigin) {
  const OutgoingRequest next = Followed(WithSecrets(), Redirect(302, "https://b.example/"));
  EXPECT_THAT(next.headers, ElementsAre(Named("Accept")));
  EXPECT_THAT(next.secret_headers, IsEmpty());
}

TEST(RedirectTest, AnotherPortIsAnotherOrigin) {
  EXPECT_THAT(Followed(WithSecrets(), Redirect(302, "https://a.example:8443/")).secret_headers,
              IsEmpty());
}

TEST(RedirectTest, SecretsFollowWithinTheirOrigin) {
  const OutgoingRequest next = Followed(WithSecrets(), Redirect(302, "/y"));
  EXPECT_EQ(next.headers.size(), 3U);
  EXPECT_THAT(next.secret_headers, ElementsAre(Named("X-Api-Key")));
}

TEST(RedirectTest, ABodyIsNotCarriedToAnotherOrigin) {
  EXPECT_THAT(Follow(Upload("POST"), Redirect(307, "https://b.example/")),
              FailsSaying(ErrorCode::kPermissionDenied, "another origin"));
}

TEST(RedirectTest, NeverStepsDownFromHttpsToHttp) {
  EXPECT_THAT(Follow({.url = "https://a.example/"}, Redirect(301, "http://a.example/")),
              FailsSaying(ErrorCode::kPermissionDenied, "down to http"));
  EXPECT_EQ(Followed({.url = "http://a.example/"}, Redirect(301, "https://a.example/")).url,
            "https://a.example/");
}

TEST(RedirectTest, ALocationWeDoNotCallIsTheServersMistake) {
  for (const char* location :
       {"file:///etc/passwd", "http://u:p@b.example/", "http://b.example:0/"}) {
    EXPECT_THAT(Follow({.url = "http://a.example/"}, Redirect(302, location)),
                FailsSaying(ErrorCode::kUnavailable, "no usable address"))
        << location;
  }
}

}  // namespace
}  // namespace atrium::egress
