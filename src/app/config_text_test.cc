// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_text.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <iterator>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "base/ip_network.h"
#include "base/log.h"
#include "base/testing.h"
#include "base/utf8.h"

namespace atrium::app {
namespace {

using std::chrono::milliseconds;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// All that is said against a text; "" when it is accepted.
std::string Complaints(std::string_view yaml) {
  const Result<Config> config = ParseConfigText(yaml, "a.yaml");
  return config ? "" : config.error().client_message;
}

TEST(ConfigTextTest, EmptyTextIsTheDefaults) {
  for (const auto* text : {"", "---\n", "# nothing\n", "http:\n", "{}"}) {
    const Result<Config> config = ParseConfigText(text, "a.yaml");
    ASSERT_THAT(config, IsOk()) << text;
    EXPECT_EQ(config->http.port, 8080);
    EXPECT_EQ(config->data, "./data");
    EXPECT_EQ(Render(config->http.address), "127.0.0.1");
    EXPECT_EQ(config->http.operators, LoopbackNetworks());
  }
}

TEST(ConfigTextTest, EveryKindOfValueIsRead) {
  const Result<Config> config = ParseConfigText(R"(
data: "/srv/atrium"
http:
  address: "::1"
  port: 9000
  header_bytes_max: 64KiB
  idle_timeout: 2m
  request_rate: 0.5
  trusted_proxies: [10.0.0.0/8, "fd00::/8"]
  cors_origins:
    - https://a.example.org
    - https://b.example.org
log:
  level: warn
  access: off
)",
                                                "a.yaml");
  ASSERT_THAT(config, IsOk());
  EXPECT_EQ(config->data, "/srv/atrium");
  EXPECT_EQ(Render(config->http.address), "::1");
  EXPECT_EQ(config->http.port, 9000);
  EXPECT_EQ(config->http.header_bytes_max, 65'536U);
  EXPECT_EQ(config->http.idle_timeout, milliseconds{120'000});
  EXPECT_EQ(config->http.request_rate, 0.5);
  ASSERT_EQ(config->http.trusted_proxies.size(), 2U);
  EXPECT_EQ(Render(config->http.trusted_proxies[1]), "fd00::/8");
  EXPECT_THAT(config->http.cors_origins,
              ElementsAre("https://a.example.org", "https://b.example.org"));
  EXPECT_EQ(config->log.level, log::Level::kWarn);
  EXPECT_FALSE(config->log.access);
}

TEST(ConfigTextTest, MistakesNameFileLineAndKey) {
  EXPECT_EQ(Complaints("http:\n  port: eighty\n"),
            "a.yaml:2: http.port: expected a whole number from 0 to 65535, got \"eighty\"");
  EXPECT_EQ(Complaints("http:\n  port: 70000\n"),
            "a.yaml:2: http.port: expected a whole number from 0 to 65535, got \"70000\"");
  EXPECT_EQ(Complaints("http:\n\n  idle_timeout: 30\n"),
            "a.yaml:3: http.idle_timeout: expected a duration from 100ms to 1d, with a unit "
            "(ms, s, m, h, d), got \"30\"");
  EXPECT_EQ(Complaints("log:\n  level: loud\n"),
            "a.yaml:2: log.level: expected one of debug, info, warn, error, got \"loud\"");
  EXPECT_EQ(Complaints("http:\n  operators:\n    - ::1\n    - 10.0.0.1/8\n"),
            "a.yaml:2: http.operators: expected a network such as 10.0.0.0/8 or fd00::/8, with no "
            "bits set after its prefix, got \"10.0.0.1/8\"");
}

TEST(ConfigTextTest, AllMistakesAreReportedAtOnce) {
  EXPECT_THAT(ParseConfigText("data: []\nhttp:\n  prt: 1\n  port: x\nlog: 7\n", "a.yaml"),
              FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_EQ(Complaints("data: []\nhttp:\n  prt: 1\n  port: x\nlog: 7\n"),
            "a.yaml:1: data: expected a path, got []\n"
            "a.yaml:3: http.prt: unknown key; did you mean \"http.port\"?\n"
            "a.yaml:4: http.port: expected a whole number from 0 to 65535, got \"x\"\n"
            "a.yaml:5: log: expected a section: keys, indented, on the lines below");
}

TEST(ConfigTextTest, UnknownNamesComeWithASuggestion) {
  EXPECT_EQ(Complaints("htp:\n  port: 1\n"),
            "a.yaml:1: htp: unknown section; did you mean \"http\"?");
  EXPECT_EQ(Complaints("http:\n  certificate: x\n"),
            "a.yaml:2: http.certificate: unknown key; did you mean \"tls.certificate\"?");
  EXPECT_EQ(Complaints("http:\n  Max-Connections: 1\n"),
            "a.yaml:2: http.Max-Connections: unknown key; did you mean \"http.max_connections\"?");
  EXPECT_EQ(Complaints("http:\n  bananas: 1\n"), "a.yaml:2: http.bananas: unknown key");
  EXPECT_EQ(Complaints("http.port: 1\n"),
            "a.yaml:1: http.port: write it as \"port:\" in the section \"http:\"");
  EXPECT_EQ(Complaints("\"a\\nb\": 1\n"), "a.yaml:1: \"a\\x0ab\": unknown key");
}

TEST(ConfigTextTest, AKeyOrSectionIsGivenOnce) {
  EXPECT_EQ(Complaints("http:\n  port: 1\n  port: 1\n"),
            "a.yaml:3: http.port: given twice, first at a.yaml:2");
  EXPECT_EQ(Complaints("http:\n  port: 1\nlog:\nhttp:\n  port: 2\n"),
            "a.yaml:4: http: given twice, first at a.yaml:1");
}

TEST(ConfigTextTest, ValuesHaveTheRightShape) {
  EXPECT_EQ(Complaints("http:\n  operators: 10.0.0.0/8\n"),
            "a.yaml:2: http.operators: expected a list, each item a network such as 10.0.0.0/8 or "
            "fd00::/8, with no bits set after its prefix, got \"10.0.0.0/8\"");
  EXPECT_EQ(Complaints("http:\n  port: {a: 1}\n"),
            "a.yaml:2: http.port: expected a whole number from 0 to 65535");
  EXPECT_EQ(Complaints("http:\n  port:\n"),
            "a.yaml:2: http.port: has no value; remove the line, or write \"\" or []");
  EXPECT_EQ(Complaints("- http\n"), "a.yaml:1: expected sections such as \"http:\"");
  EXPECT_THAT(Complaints("? [a]\n: 1\n"), HasSubstr("a.yaml:1: expected the name of a key"));
}

TEST(ConfigTextTest, ImpossibleCombinationsAreRefused) {
  EXPECT_EQ(Complaints("tls:\n  certificate: c.pem\n"),
            "a.yaml:2: tls.certificate: given without tls.key");
  EXPECT_EQ(Complaints("tls:\n  key: k.pem\n"), "a.yaml:2: tls.key: given without tls.certificate");
  EXPECT_EQ(Complaints("tls: {certificate: c, key: k, port: 8080}\n"),
            "a.yaml:1: tls.port: http.port and tls.port are the same");
}

TEST(ConfigTextTest, MailNeedsASenderAndAServer) {
  EXPECT_EQ(Complaints("mail:\n  transport: file\n"),
            "a.yaml:2: mail.transport: given without mail.from");
  EXPECT_EQ(Complaints("mail:\n  transport: smtp\n  from: a@example.org\n"),
            "a.yaml:2: mail.transport: smtp is given without mail.smtp_host");
  EXPECT_EQ(Complaints("mail:\n  transport: smtp\n  from: \"@\"\n  smtp_host: localhost\n"),
            "a.yaml:3: mail.from: expected a sender such as \"Atrium <atrium@example.org>\", or "
            "\"\" for none, got \"@\"");
  const Result<Config> config = ParseConfigText(
      "mail: {transport: file, from: \"Atrium <a@example.org>\", folder: /letters}", "a.yaml");
  ASSERT_THAT(config, IsOk());
  EXPECT_EQ(config->mail.transport, MailTransport::kFile);
  EXPECT_EQ(config->mail.from, "Atrium <a@example.org>");
  EXPECT_EQ(config->mail.folder, "/letters");
}

TEST(ConfigTextTest, AMailUserNeedsAPasswordAndTheReverse) {
  EXPECT_EQ(Complaints("mail:\n  smtp_username: me\n"),
            "a.yaml:2: mail.smtp_username: given without a password");
  EXPECT_EQ(Complaints("mail:\n  smtp_password_file: f\n"),
            "a.yaml:2: mail.smtp_password_file: given without mail.smtp_username");
  EXPECT_EQ(Complaints("mail: {smtp_username: me, smtp_password_file: f}\n"), "");
}

TEST(ConfigTextTest, HostsOfOperatorsAreBareNames) {
  EXPECT_EQ(ParseConfigText("http: {operator_hosts: [a.internal]}", "a.yaml")->http.operator_hosts,
            std::vector<std::string>{"a.internal"});
  for (const char* host : {"A.internal", "a.internal:80", ".a", "http://a"}) {
    EXPECT_THAT(
        Complaints("http:\n  operator_hosts: [\"" + std::string(host) + "\"]\n"),
        HasSubstr("http.operator_hosts: expected a host name in lower case, without a port"))
        << host;
  }
}

TEST(ConfigTextTest, MemoryForBodiesHoldsTheLongest) {
  EXPECT_EQ(ParseConfigText("http: {body_memory: 1GiB}", "a.yaml")->http.body_memory,
            std::uint64_t{1} << 30);
  EXPECT_THAT(Complaints("http:\n  body_memory: 255MiB\n"),
              HasSubstr("http.body_memory: expected a size from 256MiB to 1TiB"));
}

TEST(ConfigTextTest, SessionsLastBetweenAnHourAndAYear) {
  EXPECT_EQ(ParseConfigText("identity: {session_ttl: 12h}", "a.yaml")->identity.session_ttl,
            std::chrono::hours{12});
  EXPECT_EQ(ParseConfigText("", "a.yaml")->identity.session_ttl, std::chrono::hours{24 * 7});
  EXPECT_EQ(Complaints("identity:\n  session_ttl: 59m\n"),
            "a.yaml:2: identity.session_ttl: expected a duration from 1h to 365d, with a unit (ms, "
            "s, m, h, d), got \"59m\"");
}

TEST(ConfigTextTest, OneMistakeIsNotReportedAsTwo) {
  EXPECT_EQ(Complaints("tls:\n  certificate: c.pem\n  key: []\n"),
            "a.yaml:3: tls.key: expected a path, or \"\" for none, got []");
}

TEST(ConfigTextTest, SecretsAreNeitherTakenNorRepeated) {
  const std::string complaint = Complaints("secrets:\n  server_secret: hunter2\n");
  EXPECT_THAT(complaint, HasSubstr("a.yaml:2: secrets.server_secret: a secret is not written here; "
                                   "use the variable ATRIUM_SECRETS_SERVER_SECRET"));
  EXPECT_THAT(complaint, Not(HasSubstr("hunter2")));
}

TEST(ConfigTextTest, BrokenTextIsRefusedWithItsLine) {
  EXPECT_EQ(Complaints("http:\n\tport: 1\n"), "a.yaml:2: a tab in the indentation; use spaces");
  EXPECT_EQ(Complaints("data: a\nhttp: \xFF\n"), "a.yaml:2: not UTF-8");
  EXPECT_EQ(Complaints(std::string_view("data: a\n\0", 9)), "a.yaml:2: a control character");
  EXPECT_THAT(Complaints("http: {port: 1\n"), HasSubstr("a.yaml:2: "));
  EXPECT_THAT(Complaints("http:\n  port: 1\n address: x\n"), HasSubstr("a.yaml:3: "));
  EXPECT_EQ(Complaints("data: a\n---\ndata: b\n"),
            "a.yaml:2: a second document; there can be only one");
}

TEST(ConfigTextTest, WordsAboutHalfACharacterCanBePrinted) {
  const std::string complaint = Complaints("data: \"\\\u07A4\"\n");
  EXPECT_THAT(complaint, StartsWith("a.yaml:1: "));
  EXPECT_TRUE(IsValidUtf8(complaint)) << complaint;
}

TEST(ConfigTextTest, HostileTextIsBounded) {
  EXPECT_EQ(Complaints("a: &a [x, x]\nb: [*a, *a]\n"), "a.yaml:1: anchors are not supported");
  EXPECT_THAT(Complaints("b: *a\n"), HasSubstr("a.yaml:1: "));
  EXPECT_EQ(Complaints("data: !!binary aGk=\n"), "a.yaml:1: tags are not supported");
  EXPECT_EQ(Complaints(std::string(100'000, '[')), "a.yaml:1: nested too deeply");
  EXPECT_THAT(Complaints(std::string(100'000, '{')), HasSubstr("a.yaml:1: "));
  EXPECT_EQ(Complaints(std::string(300'000, '\n')), "a.yaml:1: larger than 256KiB");
}

TEST(ConfigTextTest, VeryManyMistakesAreCounted) {
  std::string text;
  for (int i = 0; i < 20'000; ++i) {
    text.append("k" + std::to_string(i) + ": 1\n");
  }
  const std::string complaints = Complaints(text);
  EXPECT_THAT(complaints, HasSubstr("and 19950 more"));
  EXPECT_EQ(std::ranges::count(complaints, '\n'), 50);
}

TEST(ConfigTextTest, ThePackagedFileIsAcceptedWithAndWithoutItsExamples) {
  std::ifstream file(ATRIUM_SOURCE_DIR "/packaging/atrium.yaml");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(Complaints(text), "");
  // An example is a line whose comment sign has no space after it.
  const std::regex comment_sign("(^|\n)( *)#([a-z])");
  const Result<Config> config =
      ParseConfigText(std::regex_replace(text, comment_sign, "$1$2$3"), "examples");
  ASSERT_THAT(config, IsOk());
  EXPECT_EQ(config->data, "/var/lib/atrium");
  EXPECT_TRUE(config->tls.Enabled()) << "the examples were not read";
}

TEST(ConfigTextTest, FileNamesAreShownSafely) {
  const Result<Config> config = ParseConfigText("x: 1", "a\nb.yaml");
  ASSERT_FALSE(config);
  EXPECT_THAT(config.error().client_message, HasSubstr("\"a\\x0ab.yaml\":1: x: unknown key"));
}

}  // namespace
}  // namespace atrium::app
