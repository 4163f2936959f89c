// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_print.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "app/config_keys.h"
#include "app/config_load.h"
#include "app/config_text.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

/// Values that differ from every default, and texts that YAML would misread without quotes.
ConfigSources UnusualSources() {
  return {.environment = {
              "ATRIUM_DATA=- a \"b\" \\ #c: {d}",
              "ATRIUM_HTTP_ADDRESS=::", "ATRIUM_HTTP_TRUSTED_PROXIES=fd00::/8,10.0.0.0/8",
              "ATRIUM_HTTP_OPERATORS=", "ATRIUM_HTTP_REQUEST_RATE=0.25",
              "ATRIUM_LOG_ACCESS_FILE=null", "ATRIUM_LOG_LEVEL=error", "ATRIUM_LOG_ACCESS=off",
              "ATRIUM_EGRESS_CA_BUNDLE=~", "ATRIUM_TLS_CERTIFICATE=*c", "ATRIUM_TLS_KEY=&k",
              "ATRIUM_HTTP_IDLE_TIMEOUT=1500ms"}};
}

TEST(ConfigPrintTest, PrintedTextReadsBackToTheSameValues) {
  for (const ConfigSources& sources : {ConfigSources{}, UnusualSources()}) {
    const Result<EffectiveConfig> effective = LoadEffectiveConfig(sources);
    ASSERT_THAT(effective, IsOk());
    const Result<Config> again = ParseConfigText(RenderConfig(*effective), "printed");
    ASSERT_THAT(again, IsOk());
    for (const ConfigKey& key : ConfigKeys()) {
      EXPECT_EQ(key.render(*again).items, key.render(effective->config).items) << key.name;
    }
  }
}

TEST(ConfigPrintTest, EachLineSaysWhereItsValueCameFrom) {
  const Result<EffectiveConfig> effective =
      LoadEffectiveConfig({.environment = {"ATRIUM_HTTP_THREADS=3"},
                           .overrides = {{.key = "http.port", .value = "1", .flag = "--port"}}});
  ASSERT_THAT(effective, IsOk());
  const std::string text = RenderConfig(*effective);
  EXPECT_THAT(text, HasSubstr("\nhttp:\n  address: 127.0.0.1  # default\n  port: 1  # --port\n"));
  EXPECT_THAT(text, HasSubstr("  threads: 3  # ATRIUM_HTTP_THREADS\n"));
}

TEST(ConfigPrintTest, SecretsAreMasked) {
  const std::string secret(64, 'a');
  const Result<EffectiveConfig> effective =
      LoadEffectiveConfig({.environment = {"ATRIUM_SECRETS_SERVER_SECRET=" + secret}});
  ASSERT_THAT(effective, IsOk());
  const std::string text = RenderConfig(*effective);
  EXPECT_THAT(text, HasSubstr("# server_secret: ********  # ATRIUM_SECRETS_SERVER_SECRET\n"));
  EXPECT_THAT(text, Not(HasSubstr("aaaa")));
}

TEST(ConfigPrintTest, ThePasswordOfTheMailServerIsMasked) {
  const Result<EffectiveConfig> effective = LoadEffectiveConfig(
      {.environment = {"ATRIUM_MAIL_SMTP_USERNAME=me", "ATRIUM_MAIL_SMTP_PASSWORD=hunter2"}});
  ASSERT_THAT(effective, IsOk());
  const std::string text = RenderConfig(*effective);
  EXPECT_THAT(text, HasSubstr("# smtp_password: ********  # ATRIUM_MAIL_SMTP_PASSWORD\n"));
  EXPECT_THAT(text, Not(HasSubstr("hunter2")));
}

TEST(ConfigPrintTest, KeysAndVariablesHaveOneMeaningEach) {
  std::set<std::string> names;
  for (const ConfigKey& key : ConfigKeys()) {
    EXPECT_TRUE(names.emplace(key.name).second) << key.name;
    EXPECT_TRUE(names.insert(VariableName(key)).second) << key.name;
    EXPECT_TRUE(key.description.ends_with('.')) << key.name;
    EXPECT_EQ(key.description.find('|'), std::string::npos) << key.name << " breaks the table";
  }
  EXPECT_TRUE(names.contains("ATRIUM_HTTP_REQUEST_RATE"));
  EXPECT_FALSE(names.contains("ATRIUM_CONFIG")) << "names the file";
}

TEST(ConfigPrintTest, EveryDefaultIsAValueThatItsKeyTakes) {
  for (const ConfigKey& key : ConfigKeys()) {
    Config config;
    const ConfigValue value = key.render(config);
    const bool absent_secret = key.sensitivity == Sensitivity::kSecret;
    EXPECT_EQ(key.assign(config, value).has_value(), absent_secret && !value.items.empty())
        << key.name;
  }
}

TEST(ConfigPrintTest, TheReferenceIsUpToDate) {
  std::ifstream file(ATRIUM_SOURCE_DIR "/docs/configuration.md");
  const std::string text(std::istreambuf_iterator<char>(file), {});
  EXPECT_EQ(text, RenderConfigReference())
      << "run: atrium config keys --markdown >docs/configuration.md";
}

}  // namespace
}  // namespace atrium::app
