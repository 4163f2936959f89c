// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_load.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

#include "base/ip_network.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

std::string Complaints(const ConfigSources& sources) {
  const Result<Config> config = LoadConfig(sources);
  return config ? "" : config.error().client_message;
}

class ConfigLoadTest : public ::testing::Test {
 protected:
  ConfigLoadTest() : folder_(::testing::TempDir() + "config_load_test_" + TestName()) {
    std::filesystem::create_directories(folder_);
  }
  ~ConfigLoadTest() override { std::filesystem::remove_all(folder_); }

  std::string Write(std::string_view text) const {
    std::string path = folder_ + "/atrium.yaml";
    std::ofstream(path) << text;
    return path;
  }

  static std::string TestName() {
    return ::testing::UnitTest::GetInstance()->current_test_info()->name();
  }

  const std::string folder_;
};

TEST_F(ConfigLoadTest, NoSourceAtAllIsTheDefaults) {
  const Result<EffectiveConfig> effective = LoadEffectiveConfig({});
  ASSERT_THAT(effective, IsOk());
  EXPECT_EQ(effective->config.http.port, 8080);
  EXPECT_THAT(effective->origins, IsEmpty());
}

TEST_F(ConfigLoadTest, LaterSourcesWin) {
  ConfigSources sources{.file = Write("http:\n  port: 1001\n  threads: 1\n  worker_threads: 1\n"),
                        .optional_file = {},
                        .environment = {"ATRIUM_HTTP_PORT=1002", "ATRIUM_HTTP_THREADS=2"},
                        .overrides = {{.key = "http.port", .value = "1003", .flag = "--port"}}};
  const Result<EffectiveConfig> effective = LoadEffectiveConfig(sources);
  ASSERT_THAT(effective, IsOk());
  EXPECT_EQ(effective->config.http.port, 1003);
  EXPECT_EQ(effective->config.http.threads, 2U);
  EXPECT_EQ(effective->config.http.worker_threads, 1U);
  EXPECT_EQ(effective->origins.at("http.port"), "--port");
  EXPECT_EQ(effective->origins.at("http.threads"), "ATRIUM_HTTP_THREADS");
  EXPECT_EQ(effective->origins.at("http.worker_threads"), sources.file + ":4");
  EXPECT_FALSE(effective->origins.contains("http.address"));
}

TEST_F(ConfigLoadTest, ListsInVariablesAreSeparatedByCommas) {
  const Result<Config> config =
      LoadConfig({.environment = {"ATRIUM_HTTP_TRUSTED_PROXIES=10.0.0.0/8, fd00::/8",
                                  "ATRIUM_HTTP_OPERATORS="}});
  ASSERT_THAT(config, IsOk());
  ASSERT_EQ(config->http.trusted_proxies.size(), 2U);
  EXPECT_EQ(Render(config->http.trusted_proxies[1]), "fd00::/8");
  EXPECT_THAT(config->http.operators, IsEmpty());
}

TEST_F(ConfigLoadTest, UnknownVariablesAreRefusedWithASuggestion) {
  EXPECT_EQ(Complaints({.environment = {"HOME=/", "ATRIUM_HTTP_PRT=1", "ATRIUM_BANANAS=2"}}),
            "environment: ATRIUM_HTTP_PRT: unknown variable; did you mean \"ATRIUM_HTTP_PORT\"?\n"
            "environment: ATRIUM_BANANAS: unknown variable");
}

TEST_F(ConfigLoadTest, MistakesOfAllSourcesAreReportedAtOnce) {
  const std::string file = Write("http:\n  threads: many\n");
  EXPECT_EQ(Complaints({.file = file,
                        .environment = {"ATRIUM_HTTP_PORT=x"},
                        .overrides = {{.key = "log.levl", .value = "info"}}}),
            file +
                ":2: http.threads: expected a whole number from 0 to 256, got \"many\"\n"
                "ATRIUM_HTTP_PORT: http.port: expected a whole number from 0 to 65535, got \"x\"\n"
                "--set: log.levl: unknown key; did you mean \"log.level\"?");
}

TEST_F(ConfigLoadTest, CombinationsAreJudgedAcrossSources) {
  const std::string file = Write("tls:\n  certificate: c.pem\n");
  EXPECT_THAT(LoadConfig({.file = file, .environment = {"ATRIUM_TLS_KEY=k.pem"}}), IsOk());
  EXPECT_EQ(Complaints({.file = file}), file + ":2: tls.certificate: given without tls.key");
}

TEST_F(ConfigLoadTest, AFileThatWasAskedForMustExist) {
  const std::string absent = folder_ + "/absent.yaml";
  EXPECT_THAT(LoadConfig({.file = absent}), FailsSaying(ErrorCode::kNotFound, absent));
  EXPECT_THAT(LoadConfig({.environment = {"ATRIUM_CONFIG=" + absent}}),
              FailsSaying(ErrorCode::kNotFound, absent));
  EXPECT_THAT(LoadConfig({.optional_file = absent}), IsOk());
  EXPECT_THAT(LoadConfig({.file = folder_}),
              FailsSaying(ErrorCode::kInvalidArgument, "is a folder"));
}

TEST_F(ConfigLoadTest, TheFileIsChosenByFlagThenVariableThenDefault) {
  const std::string file = Write("http:\n  port: 1001\n");
  const std::string absent = folder_ + "/absent.yaml";
  EXPECT_EQ(LoadConfig({.optional_file = file})->http.port, 1001);
  EXPECT_EQ(
      LoadConfig({.optional_file = absent, .environment = {"ATRIUM_CONFIG=" + file}})->http.port,
      1001);
  EXPECT_EQ(LoadConfig({.file = file, .environment = {"ATRIUM_CONFIG=" + absent}})->http.port,
            1001);
}

TEST_F(ConfigLoadTest, AHugeFileIsRefused) {
  const std::string file = Write(std::string(1'000'000, '#'));
  EXPECT_THAT(LoadConfig({.file = file}),
              FailsSaying(ErrorCode::kInvalidArgument, "larger than 256KiB"));
}

TEST_F(ConfigLoadTest, OneFlagIsGivenOnce) {
  EXPECT_EQ(Complaints({.overrides = {{.key = "http.port", .value = "1", .flag = "--port"},
                                      {.key = "http.port", .value = "2"}}}),
            "--set: http.port: given twice, first at --port");
}

TEST_F(ConfigLoadTest, SecretsComeFromTheEnvironmentAlone) {
  const std::string secret(64, 'a');
  const std::string variable = "ATRIUM_SECRETS_SERVER_SECRET=" + secret;
  EXPECT_EQ(LoadConfig({.environment = {variable}})->secrets.server_secret, secret);
  EXPECT_THAT(Complaints({.overrides = {{.key = "secrets.server_secret", .value = secret}}}),
              HasSubstr("a secret is not written here"));
  EXPECT_EQ(Complaints({.environment = {variable + "oops"}}),
            "ATRIUM_SECRETS_SERVER_SECRET: secrets.server_secret: expected 64 hexadecimal digits");
  EXPECT_THAT(Complaints({.overrides = {{.key = "mail.smtp_password", .value = "hunter2"}}}),
              HasSubstr("a secret is not written here"));
  EXPECT_THAT(
      Complaints({.environment = {"ATRIUM_MAIL_SMTP_USERNAME=me", "ATRIUM_MAIL_SMTP_PASSWORD=x",
                                  "ATRIUM_MAIL_SMTP_PASSWORD_FILE=/x"}}),
      HasSubstr("mail.smtp_password is given as well; only one of them can be used"));
  EXPECT_THAT(Complaints({.environment = {variable, "ATRIUM_SECRETS_SERVER_SECRET_FILE=/x"}}),
              HasSubstr("only one of them can be used"));
}

}  // namespace
}  // namespace atrium::app
