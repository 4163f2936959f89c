// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/control_socket.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/error.h"
#include "base/result.h"
#include "base/testing.h"

namespace atrium::http {
namespace {

namespace fs = std::filesystem;
using ::testing::Eq;
using ::testing::Ne;
using ::testing::Property;

class ControlSocketTest : public ::testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "control-XXXXXX").string();
    ASSERT_NE(::mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    path_ = folder_ / "control.sock";
  }
  void TearDown() override { fs::remove_all(folder_); }

  /// The file as a server leaves it that was killed.
  void LeaveStale() {
    Result<ControlSocket> killed = ControlSocket::Listen(path_);
    ASSERT_THAT(killed, IsOk());
    const Descriptor gone(killed->Release());
    fs::rename(path_, folder_ / "kept");
    killed->Remove();
    fs::rename(folder_ / "kept", path_);
  }
  mode_t Mode() const {
    struct stat status{};
    EXPECT_EQ(::lstat(path_.c_str(), &status), 0);
    return status.st_mode & 07777U;
  }

  fs::path folder_;
  fs::path path_;
};

auto Somebody() {
  return Holds(Property(&std::optional<Descriptor>::has_value, true));
}
auto Nobody() {
  return Holds(Property(&std::optional<Descriptor>::has_value, false));
}

TEST_F(ControlSocketTest, IsForItsOwnerAloneWhateverTheMaskSays) {
  const mode_t before = ::umask(0);
  const Result<ControlSocket> socket = ControlSocket::Listen(path_);
  ::umask(before);
  ASSERT_THAT(socket, IsOk());
  EXPECT_EQ(Mode(), 0600U);
}

TEST_F(ControlSocketTest, IsReachedWhileItListensAndGoneAfterwards) {
  EXPECT_THAT(ConnectToControlSocket(path_), Nobody());
  {
    const Result<ControlSocket> socket = ControlSocket::Listen(path_);
    ASSERT_THAT(socket, IsOk());
    EXPECT_THAT(ConnectToControlSocket(path_), Somebody());
  }
  EXPECT_FALSE(fs::exists(path_));
  EXPECT_THAT(ConnectToControlSocket(path_), Nobody());
}

TEST_F(ControlSocketTest, OneLeftBehindIsReplaced) {
  LeaveStale();
  ASSERT_TRUE(fs::exists(path_));
  EXPECT_THAT(ConnectToControlSocket(path_), Nobody());
  const Result<ControlSocket> socket = ControlSocket::Listen(path_);
  ASSERT_THAT(socket, IsOk());
  EXPECT_THAT(ConnectToControlSocket(path_), Somebody());
}

TEST_F(ControlSocketTest, OneThatIsListenedOnIsNotStolen) {
  const Result<ControlSocket> first = ControlSocket::Listen(path_);
  ASSERT_THAT(first, IsOk());
  EXPECT_THAT(ControlSocket::Listen(path_),
              FailsSaying(ErrorCode::kUnavailable, "another server listens there"));
  EXPECT_THAT(ConnectToControlSocket(path_), Somebody());
}

TEST_F(ControlSocketTest, TheSocketOfASuccessorStays) {
  Result<ControlSocket> first = ControlSocket::Listen(path_);
  ASSERT_THAT(first, IsOk());
  fs::remove(path_);
  const Result<ControlSocket> second = ControlSocket::Listen(path_);
  ASSERT_THAT(second, IsOk());
  first->Remove();
  EXPECT_THAT(ConnectToControlSocket(path_), Somebody());
}

TEST_F(ControlSocketTest, AFileThatIsNoSocketStays) {
  std::ofstream(path_) << "precious";
  EXPECT_THAT(ControlSocket::Listen(path_), FailsWith(ErrorCode::kAlreadyExists));
  EXPECT_EQ(fs::file_size(path_), 8U);
}

TEST_F(ControlSocketTest, AFolderInWhichEverybodyMayWriteIsRefused) {
  fs::permissions(folder_, fs::perms::all);
  EXPECT_THAT(ControlSocket::Listen(path_), FailsWith(ErrorCode::kPermissionDenied));
}

TEST_F(ControlSocketTest, APathOfAnyLengthWorks) {
  const fs::path deep = folder_ / std::string(100, 'a') / std::string(100, 'b');
  fs::create_directories(deep);
  path_ = deep / "control.sock";
  {
    const Result<ControlSocket> socket = ControlSocket::Listen(path_);
    ASSERT_THAT(socket, IsOk());
    EXPECT_EQ(Mode(), 0600U);
    EXPECT_THAT(ConnectToControlSocket(path_), Somebody());
    EXPECT_THAT(ControlSocket::Listen(path_), FailsWith(ErrorCode::kUnavailable));
  }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(ControlSocketTest, AFolderThatIsNotThereIsNamed) {
  EXPECT_THAT(ControlSocket::Listen(folder_ / "absent" / "control.sock"),
              FailsSaying(ErrorCode::kUnavailable, "absent"));
}

}  // namespace
}  // namespace atrium::http
