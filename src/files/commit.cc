// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/commit.h"

#include <array>
#include <boost/describe/class.hpp>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/json_read.h"
#include "base/json_text.h"
#include "files/canonical_json.h"

namespace atrium::files {
namespace {

/// The keys of a commit, in the order and the spelling of clients.
struct WireCommit {
  CommitId commit_id{};
  ObjectId root_id{};
  LibraryId repo_id{};
  std::optional<std::string> creator_name{};
  std::string creator{};
  std::string description{};
  std::int64_t ctime = 0;
  std::optional<CommitId> parent_id{};
  std::optional<CommitId> second_parent_id{};
  std::optional<std::string> repo_name{};
  std::optional<std::string> repo_desc{};
  std::optional<std::string> device_name{};
  std::optional<std::string> client_version{};
  std::optional<std::string> encrypted{};
  std::optional<int> enc_version{};
  std::optional<std::string> magic{};
  std::optional<std::string> key{};
  std::optional<std::string> salt{};
  std::int64_t version = 0;
  std::optional<std::int64_t> new_merge{};
  std::optional<std::int64_t> conflict{};
  std::optional<std::int64_t> repaired{};
};
BOOST_DESCRIBE_STRUCT(WireCommit, (),
                      (commit_id, root_id, repo_id, creator_name, creator, description, ctime,
                       parent_id, second_parent_id, repo_name, repo_desc, device_name,
                       client_version, encrypted, enc_version, magic, key, salt, version, new_merge,
                       conflict, repaired))

class CommitWriter {
 public:
  void Text(std::string_view key, std::string_view value) {
    Key(key);
    AppendCanonicalString(out_, value);
  }
  void TextIfAny(std::string_view key, const std::optional<std::string>& value) {
    if (value) {
      Text(key, *value);
    }
  }
  void Number(std::string_view key, std::int64_t value) {
    Key(key);
    AppendJsonNumber(out_, value);
  }
  void Flag(std::string_view key, bool value) {
    if (value) {
      Number(key, 1);
    }
  }
  void Null(std::string_view key) {
    Key(key);
    out_ += "null";
  }
  void Id(std::string_view key, const std::optional<CommitId>& id) {
    if (id) {
      Text(key, id->Render());
    } else {
      Null(key);
    }
  }
  std::string Finish() { return std::move(out_) + "}"; }

 private:
  void Key(std::string_view key) {
    out_.append(out_.empty() ? "{\"" : ", \"").append(key).append("\": ");
  }

  std::string out_;
};

void WriteLock(CommitWriter& writer, const LibraryLock& lock) {
  writer.Text("encrypted", "true");
  writer.Number("enc_version", lock.version);
  writer.Text("magic", lock.magic);
  writer.Text("key", lock.random_key);
  if (!lock.salt.empty()) {
    writer.Text("salt", lock.salt);
  }
}

std::unexpected<Error> Invalid(std::string message) {
  return Fail(ErrorCode::kInvalidArgument, std::move(message));
}

Result<std::optional<LibraryLock>> LockOf(const WireCommit& wire) {
  if (!wire.encrypted || *wire.encrypted == "false") {
    return std::nullopt;
  }
  if (*wire.encrypted != "true") {
    return Invalid("/encrypted: expected \"true\"");
  }
  LibraryLock lock{.version = wire.enc_version.value_or(0),
                   .magic = wire.magic.value_or(""),
                   .random_key = wire.key.value_or(""),
                   .salt = wire.salt.value_or("")};
  RETURN_IF_ERROR(CheckLibraryLock(lock));
  return lock;
}

/// SHA-1 of fields with a NUL behind each.
class FieldHash {
 public:
  void Add(std::string_view text) {
    hash_.Update(text);
    hash_.Update(std::string_view("\0", 1));
  }
  void AddNumber(std::int64_t number) {
    std::array<std::byte, 8> big_endian;
    for (std::size_t i = 0; i < big_endian.size(); ++i) {
      big_endian[i] = static_cast<std::byte>(static_cast<std::uint64_t>(number) >> (56 - 8 * i));
    }
    hash_.Update(big_endian);
  }
  CommitId Finish() { return CommitId(Sha1Id{.bytes = hash_.Finish()}); }

 private:
  Sha1 hash_;
};

void AddClientFields(FieldHash& hash, const Commit& commit) {
  hash.Add(commit.root.Render());
  hash.Add(commit.creator);
  if (!commit.creator_name.empty()) {
    hash.Add(commit.creator_name);
  }
  hash.Add(commit.description);
  hash.AddNumber(commit.ctime);
}

}  // namespace

std::string Render(const Commit& commit) {
  CommitWriter writer;
  writer.Text("commit_id", commit.id.Render());
  writer.Text("root_id", commit.root.Render());
  writer.Text("repo_id", commit.library.Render());
  writer.Text("creator_name", commit.creator_name);
  writer.Text("creator", commit.creator);
  writer.Text("description", commit.description);
  writer.Number("ctime", commit.ctime);
  writer.Id("parent_id", commit.parent);
  writer.Id("second_parent_id", commit.second_parent);
  writer.Text("repo_name", commit.library_name);
  writer.Text("repo_desc", commit.library_description);
  writer.Null("repo_category");
  writer.TextIfAny("device_name", commit.device_name);
  writer.TextIfAny("client_version", commit.client_version);
  if (commit.lock) {
    WriteLock(writer, *commit.lock);
  }
  writer.Number("no_local_history", 1);
  writer.Number("version", 1);
  writer.Flag("new_merge", commit.new_merge);
  writer.Flag("conflict", commit.conflict);
  writer.Flag("repaired", commit.repaired);
  return writer.Finish();
}

Result<Commit> ParseCommit(std::string_view text) {
  if (text.size() > kCommitBytesMax) {
    return Fail(ErrorCode::kLimitExceeded,
                "a commit has at most " + std::to_string(kCommitBytesMax) + " bytes");
  }
  ASSIGN_OR_RETURN(WireCommit wire, FromJson<WireCommit>(text, {.unknown = OnUnknown::kIgnore}));
  if (wire.version != 1) {
    return Invalid("/version: expected 1");
  }
  if (wire.creator.size() != Sha1Id::kTextLength) {
    return Invalid("/creator: expected 40 characters");
  }
  ASSIGN_OR_RETURN(std::optional<LibraryLock> lock, LockOf(wire));
  return Commit{.id = wire.commit_id,
                .root = wire.root_id,
                .library = wire.repo_id,
                .creator_name = std::move(wire.creator_name).value_or(""),
                .creator = std::move(wire.creator),
                .description = std::move(wire.description),
                .ctime = wire.ctime,
                .parent = wire.parent_id,
                .second_parent = wire.second_parent_id,
                .library_name = std::move(wire.repo_name).value_or(""),
                .library_description = std::move(wire.repo_desc).value_or(""),
                .device_name = std::move(wire.device_name),
                .client_version = std::move(wire.client_version),
                .lock = std::move(lock),
                .new_merge = wire.new_merge.value_or(0) != 0,
                .conflict = wire.conflict.value_or(0) != 0,
                .repaired = wire.repaired.value_or(0) != 0};
}

CommitId ClientCommitIdOf(const Commit& commit) {
  FieldHash hash;
  AddClientFields(hash, commit);
  return hash.Finish();
}

CommitId FreshCommitIdOf(const Commit& commit, const Uuid& nonce) {
  FieldHash hash;
  AddClientFields(hash, commit);
  hash.Add(commit.library.Render());
  hash.Add(commit.parent.value_or(CommitId()).Render());
  hash.Add(commit.second_parent.value_or(CommitId()).Render());
  hash.Add(AsChars(nonce.bytes));
  return hash.Finish();
}

}  // namespace atrium::files
