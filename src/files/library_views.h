// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "base/json_write.h"
#include "files/people.h"
#include "files/records.h"
#include "http/request.h"

namespace atrium::files {

// Libraries as clients of Seafile read them.

/// One of those that GET /api2/repos/ lists.
struct ListedLibrary {
  std::string type = "repo";
  LibraryId id{};
  std::string owner{};
  std::string owner_name{};
  std::string owner_contact_email{};
  std::string name{};
  std::string desc{};
  std::int64_t mtime = 0;
  std::string modifier_email{};
  std::int64_t size = 0;
  std::int64_t file_count = 0;
  bool encrypted = false;
  std::string permission{};
  bool is_virtual = false;
  std::string root{};
  CommitId head_commit_id{};
  int version = 1;
  std::string salt{};
  std::optional<int> enc_version{};
  std::optional<std::string> magic{};
  std::optional<std::string> random_key{};
};
ListedLibrary ViewOf(const Library& library, const Person& owner, Permission permission);

/// What a client must know to sync a library.
struct DownloadInfo {
  /// Of a kind of server that is long gone; clients still want to see one.
  std::string relay_id = "44e8f253849ad910dc142247227c8ece8ec0f971";
  std::string relay_addr{};
  std::string relay_port{};
  std::string email{};
  std::string token{};
  LibraryId repo_id{};
  std::string repo_name{};
  std::string repo_desc{};
  std::int64_t repo_size = 0;
  int repo_version = 1;
  std::int64_t mtime = 0;
  /// 1 or "": clients take any other text for true.
  struct Encrypted {
    bool value = false;
  } encrypted{};
  int enc_version = 0;
  std::string salt{};
  std::string magic{};
  std::string random_key{};
  CommitId head_commit_id{};
  std::string permission{};
};
DownloadInfo DownloadInfoOf(const http::Request& request, const Library& library,
                            const Person& person, Permission permission);

BOOST_DESCRIBE_STRUCT(ListedLibrary, (),
                      (type, id, owner, owner_name, owner_contact_email, name, desc, mtime,
                       modifier_email, size, file_count, encrypted, permission, is_virtual, root,
                       head_commit_id, version, salt, enc_version, magic, random_key))
BOOST_DESCRIBE_STRUCT(DownloadInfo, (),
                      (relay_id, relay_addr, relay_port, email, token, repo_id, repo_name,
                       repo_desc, repo_size, repo_version, mtime, encrypted, enc_version, salt,
                       magic, random_key, head_commit_id, permission))

}  // namespace atrium::files

namespace atrium {

template <>
struct JsonWriter<files::DownloadInfo::Encrypted> {
  static void Append(std::string& out, const files::DownloadInfo::Encrypted& encrypted) {
    out += encrypted.value ? "1" : R"("")";
  }
};

}  // namespace atrium
