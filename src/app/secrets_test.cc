// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/secrets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

#include "base/hex.h"
#include "base/testing.h"

namespace atrium::app {
namespace {

namespace fs = std::filesystem;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

class SecretsTest : public ::testing::Test {
 protected:
  SecretsTest() : folder_(MakeFolder()) { config_.data = (folder_ / "a" / "data").string(); }
  ~SecretsTest() override { fs::remove_all(folder_); }

  static fs::path MakeFolder() {
    std::string pattern = ::testing::TempDir() + "secrets_test_XXXXXX";
    return {::mkdtemp(pattern.data())};
  }

  std::string Write(const std::string& name, std::string_view text, unsigned mode = 0600) const {
    const std::string path = (folder_ / name).string();
    std::ofstream(path) << text;
    EXPECT_EQ(::chmod(path.c_str(), mode), 0);
    return path;
  }

  std::string OwnFile() const { return config_.data + "/server.secret"; }

  static std::string Content(const std::string& path) {
    std::ifstream file(path);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  static unsigned ModeOf(const std::string& path) {
    struct stat status{};
    EXPECT_EQ(::stat(path.c_str(), &status), 0);
    return status.st_mode & 07777U;
  }

  const fs::path folder_;
  Config config_;
};

const std::string& Digits() {
  static const std::string digits =
      "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";
  return digits;
}

TEST_F(SecretsTest, FirstStartMakesAPrivateFileAndFolder) {
  const Result<ServerSecrets> secrets = LoadServerSecrets(config_);
  ASSERT_THAT(secrets, IsOk());
  EXPECT_EQ(secrets->current.size(), 32U);
  EXPECT_EQ(Content(OwnFile()), EncodeHex(secrets->current) + "\n");
  EXPECT_EQ(ModeOf(OwnFile()), 0600U);
  EXPECT_EQ(ModeOf(config_.data), 0700U);
  EXPECT_EQ(std::distance(fs::directory_iterator(config_.data), {}), 1) << "a file was left over";
}

TEST_F(SecretsTest, LaterStartsFindTheSameSecret) {
  const Result<ServerSecrets> first = LoadServerSecrets(config_);
  const Result<ServerSecrets> second = LoadServerSecrets(config_);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  EXPECT_EQ(first->current, second->current);
}

TEST_F(SecretsTest, TwoServersHaveDifferentSecrets) {
  const Result<ServerSecrets> first = LoadServerSecrets(config_);
  config_.data += "2";
  const Result<ServerSecrets> second = LoadServerSecrets(config_);
  ASSERT_THAT(first, IsOk());
  ASSERT_THAT(second, IsOk());
  EXPECT_NE(first->current, second->current);
}

TEST_F(SecretsTest, AFileThatOthersCanReadIsRefused) {
  ASSERT_THAT(LoadServerSecrets(config_), IsOk());
  for (const unsigned mode : {0644U, 0604U, 0602U, 0620U}) {
    ASSERT_EQ(::chmod(OwnFile().c_str(), mode), 0);
    EXPECT_THAT(LoadServerSecrets(config_),
                FailsSaying(ErrorCode::kPermissionDenied, "other users can read or change it"));
  }
  for (const unsigned mode : {0600U, 0400U, 0640U}) {
    ASSERT_EQ(::chmod(OwnFile().c_str(), mode), 0);
    EXPECT_THAT(LoadServerSecrets(config_), IsOk());
  }
}

TEST_F(SecretsTest, ADamagedFileIsRefusedAndKept) {
  ASSERT_THAT(LoadServerSecrets(config_), IsOk());
  const std::string truncated = Digits().substr(0, 62);
  for (const std::string& text : {std::string(), truncated, Digits() + "00", Digits() + "\nx\n",
                                  "zz" + truncated, std::string(100'000, '0')}) {
    std::ofstream(OwnFile()) << text;
    const Result<ServerSecrets> secrets = LoadServerSecrets(config_);
    EXPECT_THAT(secrets, FailsSaying(ErrorCode::kCorrupt, "server.secret: is damaged")) << text;
    EXPECT_THAT(secrets.error().client_message, Not(HasSubstr("0001"))) << "shows the secret";
    EXPECT_EQ(Content(OwnFile()), text);
  }
}

TEST_F(SecretsTest, AFolderInPlaceOfTheFileIsRefused) {
  fs::create_directories(OwnFile());
  EXPECT_THAT(LoadServerSecrets(config_), FailsSaying(ErrorCode::kCorrupt, "is not a file"));
}

TEST_F(SecretsTest, AConfiguredFileIsNeverMade) {
  config_.secrets.server_secret_file = (folder_ / "absent").string();
  EXPECT_THAT(LoadServerSecrets(config_), FailsSaying(ErrorCode::kNotFound, "absent"));
  EXPECT_FALSE(fs::exists(config_.secrets.server_secret_file));
  EXPECT_FALSE(fs::exists(config_.data));
}

TEST_F(SecretsTest, ValuesAndFilesAreReadNewestFirst) {
  const std::string older(64, '1');
  const std::string oldest(64, '2');
  config_.secrets.server_secret_file = Write("current", Digits() + "\r\n");
  config_.secrets.previous_server_secrets = {older};
  config_.secrets.previous_server_secret_files = {Write("oldest", oldest)};
  const Result<ServerSecrets> secrets = LoadServerSecrets(config_);
  ASSERT_THAT(secrets, IsOk());
  EXPECT_EQ(EncodeHex(secrets->current), Digits());
  EXPECT_THAT(secrets->previous, ElementsAre(std::string(32, '\x11'), std::string(32, '\x22')));
}

TEST_F(SecretsTest, AValueNeedsNoFile) {
  config_.secrets.server_secret = Digits();
  EXPECT_THAT(LoadServerSecrets(config_), IsOk());
  EXPECT_FALSE(fs::exists(config_.data));
}

TEST_F(SecretsTest, TheSameSecretTwiceIsRefused) {
  config_.secrets.server_secret = Digits();
  config_.secrets.previous_server_secrets = {Digits()};
  EXPECT_THAT(LoadServerSecrets(config_),
              FailsSaying(ErrorCode::kInvalidArgument, "the same server secret is given twice"));
}

TEST_F(SecretsTest, WhatAPreviousSecretSealedStillOpens) {
  const ServerSecrets before{.current = std::string(32, 'a')};
  const ServerSecrets after{.current = std::string(32, 'b'), .previous = {before.current}};
  const Result<KeyRing> old_keys = KeysFor("tokens", before);
  const Result<KeyRing> new_keys = KeysFor("tokens", after);
  ASSERT_THAT(old_keys, IsOk());
  ASSERT_THAT(new_keys, IsOk());
  const Result<std::string> sealed = SealedBox(*old_keys).Seal("hello", "user/1");
  ASSERT_THAT(sealed, IsOk());
  EXPECT_THAT(SealedBox(*new_keys).Open(*sealed, "user/1"), Holds(std::string("hello")));
  EXPECT_TRUE(SealedBox(*new_keys).NeedsResealing(*sealed));
}

}  // namespace
}  // namespace atrium::app
