// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/operation_links.h"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/constant_time.h"
#include "base/hash.h"

namespace atrium::files {
namespace {

//  purpose  user  library  object  folder  generation  expires  parent         name      seal
//  1        16    16       20      20      8           8        2 + length     0 to 255  16  bytes
//
//  The parent is the kind of the credential, the length of its id, and the id.

constexpr std::size_t kSealBytes = 16;
constexpr std::size_t kNumberBytes = 8;
constexpr std::size_t kNameBytesInLink = 255;
constexpr std::string_view kPurposeOfKey = "link 2 ";

std::unexpected<Error> Refused() {
  return Fail(ErrorCode::kUnauthenticated, "the link has expired: ask for another");
}

Sha1Digest DigestOf(const TreePath& folder) {
  return Sha1Of(folder.Render());
}

void AppendNumber(std::string& out, std::uint64_t number) {
  for (std::size_t i = 0; i < kNumberBytes; ++i) {
    out += static_cast<char>(number >> (8 * (kNumberBytes - 1 - i)));
  }
}

/// Takes the text apart from its front. Nothing fits any more after something was missing.
class Cutter {
 public:
  explicit Cutter(std::string_view rest) : rest_(rest) {}

  void Take(std::span<std::byte> out) {
    if (rest_.size() < out.size()) {
      is_short_ = true;
      return;
    }
    std::ranges::copy(AsBytes(rest_.substr(0, out.size())), out.begin());
    rest_.remove_prefix(out.size());
  }
  std::uint64_t TakeNumber() {
    std::array<std::byte, kNumberBytes> bytes{};
    Take(bytes);
    std::uint64_t number = 0;
    for (const std::byte byte : bytes) {
      number = (number << 8) | std::to_integer<std::uint64_t>(byte);
    }
    return number;
  }
  std::string TakeText(std::size_t bytes) {
    is_short_ = is_short_ || rest_.size() < bytes;
    const std::string_view text = rest_.substr(0, bytes);
    rest_.remove_prefix(text.size());
    return std::string(text);
  }
  std::uint8_t TakeByte() {
    std::array<std::byte, 1> byte{};
    Take(byte);
    return std::to_integer<std::uint8_t>(byte.front());
  }
  std::string_view Rest() const { return rest_; }
  bool IsShort() const { return is_short_; }

 private:
  std::string_view rest_;
  bool is_short_ = false;
};

std::string SealOf(const SecretKey& key, std::string_view payload) {
  const Sha256Digest seal = HmacSha256(key, std::string(kPurposeOfKey).append(payload));
  return std::string(AsChars(seal).substr(0, kSealBytes));
}

}  // namespace

bool OperationLink::Confines(const TreePath& path) const {
  TreePath at = path;
  while (true) {
    if (DigestOf(at) == folder) {
      return true;
    }
    if (at.IsRoot()) {
      return false;
    }
    at = at.Parent();
  }
}

std::string OperationLinks::Render(const Person& person, OperationLink link) const {
  std::string payload(1, static_cast<char>(link.purpose));
  payload += AsChars(person.id.value().bytes);
  payload += AsChars(link.library.value().bytes);
  payload += AsChars(link.object.value().bytes);
  payload += AsChars(link.folder);
  AppendNumber(payload, person.generation);
  AppendNumber(payload, static_cast<std::uint64_t>(link.expires_at.time_since_epoch().count()));
  payload += static_cast<char>(person.by.kind);
  payload += static_cast<char>(person.by.id.size());
  payload += person.by.id;
  payload += std::string_view(link.name).substr(0, kNameBytesInLink);
  return EncodeBase64Url(payload + SealOf(key_, payload));
}

std::string OperationLinks::ForUpload(const Person& person, const LibraryId& library,
                                      LinkPurpose purpose, const TreePath& folder) const {
  return Render(person, {.purpose = purpose,
                         .library = library,
                         .folder = DigestOf(folder),
                         .expires_at = clock_.Now() + kUploadLinkKept});
}

std::string OperationLinks::ForFile(const Person& person, const LibraryId& library,
                                    const ObjectId& file) const {
  return Render(person, {.purpose = LinkPurpose::kDownload,
                         .library = library,
                         .object = file,
                         .expires_at = clock_.Now() + kDownloadLinkKept});
}

std::string OperationLinks::ForFolder(const Person& person, const LibraryId& library,
                                      const ObjectId& folder, std::string_view name) const {
  return Render(person, {.purpose = LinkPurpose::kZip,
                         .library = library,
                         .object = folder,
                         .expires_at = clock_.Now() + kDownloadLinkKept,
                         .name = std::string(name)});
}

Result<OperationLink> OperationLinks::Read(std::string_view token) const {
  const Result<std::string> bytes = DecodeBase64Url(token);
  if (!bytes || bytes->size() <= kSealBytes) {
    return Refused();
  }
  const std::string_view payload = std::string_view(*bytes).substr(0, bytes->size() - kSealBytes);
  const std::string_view seal = std::string_view(*bytes).substr(payload.size());
  if (!ConstantTimeEqual(seal, SealOf(key_, payload))) {
    return Refused();
  }
  OperationLink link{.purpose = static_cast<LinkPurpose>(payload.front())};
  Cutter cutter(payload.substr(1));
  Uuid user;
  Uuid library;
  Sha1Id object;
  cutter.Take(user.bytes);
  cutter.Take(library.bytes);
  cutter.Take(object.bytes);
  cutter.Take(link.folder);
  link.user = UserId(user);
  link.library = LibraryId(library);
  link.object = ObjectId(object);
  link.generation = cutter.TakeNumber();
  link.expires_at =
      Instant(std::chrono::milliseconds(static_cast<std::int64_t>(cutter.TakeNumber())));
  link.parent.kind = static_cast<api::Credential>(cutter.TakeByte());
  link.parent.id = cutter.TakeText(cutter.TakeByte());
  if (link.parent.kind != api::Credential::kOperator) {
    link.parent.user = link.user;
  }
  link.name = std::string(cutter.Rest());
  return cutter.IsShort() ? Result<OperationLink>(Refused()) : link;
}

Result<LinkHolder> OperationLinks::Open(const store::OpContext& op, std::string_view token,
                                        LinkPurpose purpose) const {
  ASSIGN_OR_RETURN(OperationLink link, Read(token));
  if (link.purpose != purpose || link.expires_at <= clock_.Now()) {
    return Refused();
  }
  ASSIGN_OR_RETURN(Person person, HolderOf(op, link, http::Staleness::kMoment));
  return LinkHolder{.link = std::move(link), .person = std::move(person)};
}

Result<Person> OperationLinks::HolderOf(const store::OpContext& op, const OperationLink& link,
                                        http::Staleness allowed) const {
  ASSIGN_OR_RETURN(std::optional<Person> person, people_.Find(op, link.user));
  if (!person || !person->is_active || person->generation != link.generation) {
    return Refused();
  }
  ASSIGN_OR_RETURN(const bool stands, people_.StillStands(op, link.parent, allowed));
  if (!stands) {
    return Refused();
  }
  person->by = link.parent;
  return *std::move(person);
}

Result<void> LinkWarrant::StillHolds(const store::OpContext& op) const {
  store::OpContext critical = op;
  critical.consistency = store::Consistency::kCritical;
  return links_->Readmit(critical, link_, http::Staleness::kNone);
}

Result<void> OperationLinks::Readmit(const store::OpContext& op, const OperationLink& link,
                                     http::Staleness allowed) const {
  RETURN_IF_ERROR(HolderOf(op, link, allowed));
  return {};
}

}  // namespace atrium::files
