// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "base/clock.h"
#include "base/instant.h"
#include "base/result.h"
#include "base/sealed_box.h"
#include "files/object_id.h"
#include "files/people.h"
#include "files/records.h"
#include "files/tree_path.h"
#include "store/op_context.h"
#include "store/warrant.h"

namespace atrium::files {

/// What a link lets its holder do. The numbers are part of links.
enum class LinkPurpose : std::uint8_t {
  kUpload = 1,
  kUpdate = 2,
  kDownload = 3,  ///< One state of one file.
  kZip = 4,       ///< One state of one folder.
};

/// How long a link works: long enough for a slow line to begin with the last piece of a long file.
inline constexpr std::chrono::hours kUploadLinkKept{24};
inline constexpr std::chrono::hours kDownloadLinkKept{4};

/// What stands in a link.
struct OperationLink {
  LinkPurpose purpose = LinkPurpose::kDownload;
  UserId user{};
  LibraryId library{};
  /// What a download is of.
  ObjectId object{};
  /// Of the folder that uploads are confined to: see Confines().
  std::array<std::byte, 20> folder{};
  /// Of the person's credentials, when the link was made.
  std::uint64_t generation = 0;
  Instant expires_at{};
  /// What the link derives from, and ends with.
  api::CredentialRef parent{};
  /// How a downloaded folder is called.
  std::string name{};

  /// Whether the path is in the folder of the link, or is that folder.
  bool Confines(const TreePath& path) const;
};

class OperationLinks;

/// The right by which somebody writes who has a link. `links` outlives it.
class LinkWarrant final : public store::Warrant {
 public:
  LinkWarrant(const OperationLinks& links, OperationLink link)
      : links_(&links), link_(std::move(link)) {}

  Result<void> StillHolds(const store::OpContext& op) const override;
  std::shared_ptr<const store::Warrant> Keep() const override {
    return std::make_shared<LinkWarrant>(*this);
  }

 private:
  const OperationLinks* links_;
  OperationLink link_;
};

/// Who holds a link that still works.
struct LinkHolder {
  OperationLink link{};
  Person person{};
};

/// Links by which files go in and out without any other credential, for a while: browsers and
/// clients follow them with no header of their own. A link says itself what it opens and is signed,
/// so making one writes nothing (clients ask for one per file), every server of the installation
/// knows it, and it outlives a restart. It ends early with the credential that asked for it; what
/// the person may do with the library is asked anew each time. Any thread.
class OperationLinks {
 public:
  OperationLinks(const Clock& clock, const People& people, const SecretKey& key)
      : clock_(clock), people_(people), key_(key) {}

  /// Confined to a folder and what is in it.
  std::string ForUpload(const Person& person, const LibraryId& library, LinkPurpose purpose,
                        const TreePath& folder) const;
  std::string ForFile(const Person& person, const LibraryId& library, const ObjectId& file) const;
  std::string ForFolder(const Person& person, const LibraryId& library, const ObjectId& folder,
                        std::string_view name) const;

  /// kUnauthenticated, which clients take as a reason to ask for another, unless the link is for
  /// this purpose and still works.
  Result<LinkHolder> Open(const store::OpContext& op, std::string_view token,
                          LinkPurpose purpose) const;

  /// For who opened it before: kUnauthenticated when the credential behind it has ended.
  Result<void> Readmit(const store::OpContext& op, const OperationLink& link,
                       http::Staleness allowed) const;

 private:
  Result<Person> HolderOf(const store::OpContext& op, const OperationLink& link,
                          http::Staleness allowed) const;
  std::string Render(const Person& person, OperationLink link) const;
  Result<OperationLink> Read(std::string_view token) const;

  const Clock& clock_;
  const People& people_;
  const SecretKey key_;
};

}  // namespace atrium::files
