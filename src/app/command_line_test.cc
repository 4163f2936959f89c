// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/command_line.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <chrono>
#include <string>
#include <variant>
#include <vector>

#include "app/identity_actions.h"
#include "base/json_write.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;

Result<Command> Parse(const std::vector<std::string>& words) {
  return ParseCommandLine(words);
}

/// The command of this type; a failed test and an empty one when it is another.
template <typename Wanted>
Wanted Parsed(const std::vector<std::string>& words) {
  const Result<Command> command = Parse(words);
  EXPECT_THAT(command, IsOk());
  if (!command || !std::holds_alternative<Wanted>(*command)) {
    ADD_FAILURE() << "is another command";
    return {};
  }
  return std::get<Wanted>(*command);
}

TEST(CommandLineTest, ServeNeedsNothing) {
  const ServeCommand serve = Parsed<ServeCommand>({"serve"});
  EXPECT_EQ(serve.sources.file, "");
  EXPECT_EQ(serve.sources.optional_file, "atrium.yaml");
  EXPECT_THAT(serve.sources.overrides, IsEmpty());
}

TEST(CommandLineTest, OptionsBecomeOverridesThatKnowTheirFlag) {
  const ServeCommand serve =
      Parsed<ServeCommand>({"serve", "--port", "1", "--address=::1", "--data", "d", "--config",
                            "c.yaml", "--set", "log.level=debug", "--set=log.access_file=a=b"});
  EXPECT_EQ(serve.sources.file, "c.yaml");
  const std::vector<ConfigOverride>& overrides = serve.sources.overrides;
  ASSERT_EQ(overrides.size(), 5U);
  EXPECT_EQ(overrides[0].key + " " + overrides[0].value + " " + overrides[0].flag,
            "http.address ::1 --address");
  EXPECT_EQ(overrides[1].key + " " + overrides[1].value + " " + overrides[1].flag,
            "http.port 1 --port");
  EXPECT_EQ(overrides[2].key + " " + overrides[2].value + " " + overrides[2].flag, "data d --data");
  EXPECT_EQ(overrides[3].key + " " + overrides[3].value + " " + overrides[3].flag,
            "log.level debug --set");
  EXPECT_EQ(overrides[4].key + " " + overrides[4].value, "log.access_file a=b");
}

TEST(CommandLineTest, AnEmptyValueIsAValue) {
  const ServeCommand serve = Parsed<ServeCommand>({"serve", "--set", "http.operators="});
  ASSERT_EQ(serve.sources.overrides.size(), 1U);
  EXPECT_EQ(serve.sources.overrides[0].value, "");
}

TEST(CommandLineTest, OtherCommandsAreRecognised) {
  Parsed<VersionCommand>({"version"});
  EXPECT_EQ(Parsed<RoutesCommand>({"routes"}).format, OutputFormat::kText);
  EXPECT_EQ(Parsed<RoutesCommand>({"routes", "--json"}).format, OutputFormat::kJson);
  EXPECT_EQ(Parsed<ConfigCheckCommand>({"config", "check", "--config", "x"}).sources.file, "x");
  EXPECT_EQ(Parsed<ConfigPrintCommand>({"config", "print", "--config", "x"}).sources.file, "x");
  EXPECT_EQ(Parsed<ConfigKeysCommand>({"config", "keys"}).format, OutputFormat::kText);
  EXPECT_EQ(Parsed<ConfigKeysCommand>({"config", "keys", "--markdown"}).format,
            OutputFormat::kMarkdown);
}

TEST(CommandLineTest, HelpIsNoMistake) {
  EXPECT_THAT(Parsed<HelpCommand>({"help"}).text, HasSubstr("serve"));
  EXPECT_THAT(Parsed<HelpCommand>({"--help"}).text, HasSubstr("serve"));
  EXPECT_THAT(Parsed<HelpCommand>({"serve", "--help"}).text, HasSubstr("--port"));
  EXPECT_THAT(Parsed<HelpCommand>({"help", "config", "print"}).text, HasSubstr("--set"));
}

TEST(CommandLineTest, NoCommandIsAMistakeThatShowsTheHelp) {
  EXPECT_THAT(Parse({}), FailsSaying(ErrorCode::kInvalidArgument, "serve"));
  EXPECT_THAT(Parse({"config"}), FailsSaying(ErrorCode::kInvalidArgument, "check"));
}

TEST(CommandLineTest, MistakesAreNamed) {
  EXPECT_THAT(Parse({"sreve"}), FailsSaying(ErrorCode::kInvalidArgument, "sreve"));
  EXPECT_THAT(Parse({"serve", "--prot", "1"}), FailsSaying(ErrorCode::kInvalidArgument, "--prot"));
  EXPECT_THAT(Parse({"serve", "--port"}), FailsSaying(ErrorCode::kInvalidArgument, "--port"));
  EXPECT_THAT(Parse({"serve", "extra"}), FailsSaying(ErrorCode::kInvalidArgument, "extra"));
  EXPECT_THAT(Parse({"serve", "--set", "http.port"}),
              FailsSaying(ErrorCode::kInvalidArgument, "expected KEY=VALUE, got http.port"));
  EXPECT_THAT(Parse({"serve", "--set", "a=1", "b=2"}),
              FailsSaying(ErrorCode::kInvalidArgument, "b=2"));
  EXPECT_THAT(Parse({"help", "bananas"}), FailsSaying(ErrorCode::kInvalidArgument, "bananas"));
  EXPECT_THAT(Parse({"version", "serve"}), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(CommandLineTest, StoreCommandsCarryTheirActionAndTheirSettings) {
  const auto verify =
      Parsed<StoreCommand>({"store", "verify", "--repair", "--json", "--data", "d"});
  EXPECT_EQ(verify.format, OutputFormat::kJson);
  EXPECT_EQ(verify.progress, ShowProgress::kOnTerminal);
  EXPECT_EQ(verify.sources.overrides.size(), 1U);
  ASSERT_TRUE(std::holds_alternative<StoreVerify>(verify.action));
  EXPECT_TRUE(std::get<StoreVerify>(verify.action).repair);
  const auto backup = Parsed<StoreCommand>({"store", "backup", "--to", "b", "--progress"});
  EXPECT_EQ(backup.progress, ShowProgress::kAlways);
  ASSERT_TRUE(std::holds_alternative<StoreBackup>(backup.action));
  EXPECT_EQ(std::get<StoreBackup>(backup.action).folder, "b");
  EXPECT_FALSE(std::get<StoreBackup>(backup.action).list);
}

TEST(CommandLineTest, WhatBecomesOfThePresentStoreIsSaidByFlags) {
  const auto present = [](const std::vector<std::string>& words) {
    const auto command = Parsed<StoreCommand>(words);
    const auto* import = std::get_if<StoreImport>(&command.action);
    const auto* restore = std::get_if<StoreRestore>(&command.action);
    return import != nullptr ? import->present : restore->present;
  };
  EXPECT_EQ(present({"store", "import", "f"}), Present::kRefuse);
  EXPECT_EQ(present({"store", "import", "f", "--merge"}), Present::kMerge);
  EXPECT_EQ(present({"store", "import", "--replace", "f"}), Present::kReplace);
  EXPECT_EQ(present({"store", "restore", "--number", "3", "--replace"}), Present::kReplace);
  EXPECT_THAT(Parse({"store", "import", "f", "--merge", "--replace"}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(CommandLineTest, JobsCommandsNameTheirJob) {
  const auto history = Parsed<JobsCommand>({"jobs", "history", "store.backup", "--limit", "3"});
  ASSERT_TRUE(std::holds_alternative<JobsHistory>(history.action));
  EXPECT_EQ(std::get<JobsHistory>(history.action).name, "store.backup");
  EXPECT_EQ(std::get<JobsHistory>(history.action).limit, 3U);
  EXPECT_THAT(Parse({"jobs", "run"}), FailsWith(ErrorCode::kInvalidArgument));
}

TEST(CommandLineTest, FilesCommandsSayWhatIsToBeDone) {
  const auto collect =
      Parsed<FilesCommand>({"files", "gc", "--dry-run", "--grace-hours", "3", "--json"});
  EXPECT_EQ(collect.format, OutputFormat::kJson);
  ASSERT_TRUE(std::holds_alternative<FilesCollect>(collect.action));
  EXPECT_TRUE(std::get<FilesCollect>(collect.action).dry_run);
  EXPECT_EQ(std::get<FilesCollect>(collect.action).grace_hours, 3);
  EXPECT_FALSE(std::get<FilesVerify>(Parsed<FilesCommand>({"files", "verify"}).action).repair);
  EXPECT_TRUE(std::get<FilesVerify>(Parsed<FilesCommand>({"files", "repair"}).action).repair);
  const auto exported = Parsed<FilesCommand>({"files", "export", "id", "out", "--commit", "c"});
  EXPECT_EQ(std::get<FilesExport>(exported.action).folder, "out");
  EXPECT_EQ(std::get<FilesExport>(exported.action).commit, "c");
  EXPECT_TRUE(std::holds_alternative<BlobsStats>(Parsed<FilesCommand>({"blobs", "stats"}).action));
  EXPECT_TRUE(
      std::get<BlobsVerify>(Parsed<FilesCommand>({"blobs", "verify", "--repair"}).action).repair);
  EXPECT_THAT(Parse({"files", "export", "id"}), FailsWith(ErrorCode::kInvalidArgument));
  EXPECT_THAT(Parse({"files", "gc", "--grace-hours", "-1"}),
              FailsWith(ErrorCode::kInvalidArgument));
}

TEST(CommandLineTest, FlagsAboutSomebodyBecomeTheBodyOfARequest) {
  const auto add = Parsed<IdentityCommand>({"user", "add", "a@b.c", "--admin", "--password-file",
                                            "-", "--quota", "1KiB", "--invite", "--data", "d"});
  EXPECT_EQ(add.sources.overrides.size(), 1U);
  EXPECT_EQ(add.access.url, "");
  ASSERT_TRUE(std::holds_alternative<UserAdd>(add.action));
  const auto& added = std::get<UserAdd>(add.action);
  EXPECT_EQ(added.password_file, "-");
  EXPECT_EQ(ToJson(added.fields),
            R"({"email":"a@b.c","role":"admin","quota_bytes":1024,"invite":true})");
  const auto set =
      Parsed<IdentityCommand>({"user", "set", "a@b.c", "--deactivate", "--email", "x"});
  ASSERT_TRUE(std::holds_alternative<UserSet>(set.action));
  EXPECT_EQ(ToJson(std::get<UserSet>(set.action).fields),
            R"({"email":"x","status":"deactivated"})");
}

TEST(CommandLineTest, AServerIsNamedByUrlAndNeverTogetherWithAFolder) {
  const auto list = Parsed<IdentityCommand>(
      {"audit", "list", "--server", "https://x", "--token-file", "t", "--json"});
  EXPECT_EQ(list.format, OutputFormat::kJson);
  EXPECT_EQ(list.access.url, "https://x");
  EXPECT_EQ(list.access.token_file, "t");
  EXPECT_THAT(Parse({"user", "list", "--server", "https://x", "--data", "d"}),
              FailsSaying(ErrorCode::kInvalidArgument, "--data"));
  EXPECT_THAT(Parse({"user", "list", "--token-file", "t"}),
              FailsSaying(ErrorCode::kInvalidArgument, "--server"));
}

TEST(CommandLineTest, ATokenHasATypeScopesAndATimeToLive) {
  const auto command = Parsed<IdentityCommand>({"token", "add", "a@b.c", "--name", "n", "--type",
                                                "app-password", "--scope", "files:read", "--scope",
                                                "groups:read", "--expires-in", "30d"});
  ASSERT_TRUE(std::holds_alternative<TokenAdd>(command.action));
  const auto& add = std::get<TokenAdd>(command.action);
  EXPECT_EQ(ToJson(add.fields),
            R"({"name":"n","type":"app_password","scopes":["files:read","groups:read"]})");
  EXPECT_EQ(add.expires_in, std::chrono::hours(24 * 30));
  EXPECT_THAT(Parse({"token", "add", "a@b.c", "--name", "n", "--expires-in", "30"}),
              FailsSaying(ErrorCode::kInvalidArgument, "--expires-in"));
  EXPECT_THAT(Parse({"token", "add", "a@b.c"}), FailsSaying(ErrorCode::kInvalidArgument, "--name"));
}

TEST(CommandLineTest, HostsAndSettingsMayBeGivenOften) {
  const auto command = Parsed<IdentityCommand>(
      {"org", "set", "1", "--host", "a", "--host", "b", "--setting", "x=1=2", "--setting", "y="});
  ASSERT_TRUE(std::holds_alternative<OrgSet>(command.action));
  EXPECT_EQ(ToJson(std::get<OrgSet>(command.action).fields),
            R"({"hosts":["a","b"],"settings":{"x":"1=2","y":""}})");
}

}  // namespace
}  // namespace atrium::app
