// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "api/route_parts.h"
#include "base/json_write.h"
#include "files/partial_uploads.h"
#include "files/route_parts.h"
#include "files/routes.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Method;
using http::Reply;

struct UploadView {
  std::string id{};
  std::string repo_id{};
  std::string path{};
  std::uint64_t received = 0;
  std::uint64_t size = 0;
  /// When it went on last, and when it goes if it does not go on.
  std::string updated_at{};
  std::string expires_at{};
};
BOOST_DESCRIBE_STRUCT(UploadView, (), (id, repo_id, path, received, size, updated_at, expires_at))

struct UploadsView {
  std::vector<UploadView> uploads{};
};
BOOST_DESCRIBE_STRUCT(UploadsView, (), (uploads))

UploadView ViewOf(const UnfinishedUpload& upload) {
  return {.id = upload.id,
          .repo_id = upload.library.Render(),
          .path = upload.path,
          .received = upload.received,
          .size = upload.total,
          .updated_at = IsoTime(SecondsSince1970(upload.updated_at)),
          .expires_at = IsoTime(SecondsSince1970(upload.updated_at + kPartialUploadKept))};
}

Result<Reply> ListUploads(Room& room, const Call& call) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  ASSIGN_OR_RETURN(const std::vector<UnfinishedUpload> found, room.partial_uploads.List(person.id));
  UploadsView view;
  view.uploads.reserve(found.size());
  for (const UnfinishedUpload& upload : found) {
    view.uploads.push_back(ViewOf(upload));
  }
  return http::JsonReply(ToJson(view));
}

Result<Reply> RemoveUpload(Room& room, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const Person person, PersonOf(room, call));
  RETURN_IF_ERROR(room.partial_uploads.Remove(person.id, id));
  return SuccessReply();
}

}  // namespace

void AddUploadRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string path = "/api/v2.1/unfinished-uploads";
  AddRoute(api, ReadingRoute(path, member, "One's files that have arrived in part, oldest first"),
           [&room](const Call& call) -> Result<Reply> { return ListUploads(room, call); });
  http::Route remove = api::RouteOf(Method::kDelete, path + "/{id}", member,
                                    "Gives up a file that has arrived in part");
  remove.work = http::Work::kBlocking;
  AddRoute(api, std::move(remove),
           [&room](const Call& call, const std::string& id) -> Result<Reply> {
             return RemoveUpload(room, call, id);
           });
}

}  // namespace atrium::files
