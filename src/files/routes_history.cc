// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/json_text.h"
#include "base/json_write.h"
#include "base/utf8.h"
#include "files/entry_views.h"
#include "files/history.h"
#include "files/people_names.h"
#include "files/query_parts.h"
#include "files/route_ids.h"
#include "files/route_parts.h"
#include "files/routes.h"
#include "files/state_changes.h"
#include "http/percent.h"

namespace atrium::files {
namespace {

using api::Call;
using http::Reply;

struct StateView {
  std::string commit_id{};
  std::string time{};
  std::string email{};
  std::string name{};
  std::string contact_email{};
  std::string description{};
  std::optional<std::string> second_parent_id{};
};
BOOST_DESCRIBE_STRUCT(StateView, (),
                      (commit_id, time, email, name, contact_email, description, second_parent_id))

struct RevisionView {
  std::string commit_id{};
  std::string rev_file_id{};
  std::string ctime{};
  std::string description{};
  std::string creator_email{};
  std::string creator_name{};
  std::string creator_contact_email{};
  std::int64_t size = 0;
  std::string path{};
  std::string old_path{};
  std::string rev_renamed_old_path{};
};
BOOST_DESCRIBE_STRUCT(RevisionView, (),
                      (commit_id, rev_file_id, ctime, description, creator_email, creator_name,
                       creator_contact_email, size, path, old_path, rev_renamed_old_path))

struct OldEntryView {
  std::string type{};
  std::string name{};
  std::string obj_id{};
  std::string parent_dir{};
  std::int64_t mtime = 0;
  std::optional<std::int64_t> size{};
};
BOOST_DESCRIBE_STRUCT(OldEntryView, (), (type, name, obj_id, parent_dir, mtime, size))

struct Asked {
  Fields fields{};
  Person person{};
};

Result<Asked> Read(Room& room, const Call& call) {
  Asked asked;
  ASSIGN_OR_RETURN(asked.fields, Fields::Read(call.request));
  ASSIGN_OR_RETURN(asked.person, PersonOf(room, call));
  return asked;
}

std::string TimeOf(const Move& state) {
  return IsoTime(SecondsSince1970(state.at));
}

/// Clients describe their commits at any length, and a page has many.
std::string ToldOf(const Move& state) {
  constexpr std::size_t kToldBytes = 4096;
  return std::string(TruncateUtf8(state.description, kToldBytes));
}

// ---- States.

Result<HistoryPage> ListStates(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  ASSIGN_OR_RETURN(const PageFields page,
                   ReadPage(asked.fields, {.otherwise = 100, .most = kHistoryPageMax}));
  return room.history.List(call.op, asked.person, id,
                           {.skip = page.Skip(), .limit = page.per_page});
}

std::vector<StateView> StatesOf(Room& room, const Call& call, const HistoryPage& page) {
  PeopleNames names(room.people);
  std::vector<StateView> states;
  for (const Move& move : page.moves) {
    StateView view{.commit_id = move.commit.Render(),
                   .time = TimeOf(move),
                   .email = move.by,
                   .name = names.Of(call.op, move.by),
                   .contact_email = move.by,
                   .description = ToldOf(move)};
    if (move.merged) {
      view.second_parent_id = move.merged->Render();
    }
    states.push_back(std::move(view));
  }
  return states;
}

Result<Reply> History(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const HistoryPage page, ListStates(room, call, id));
  return http::JsonReply(R"({"data": )" + ToJson(StatesOf(room, call, page)) + R"(, "more": )" +
                         (page.more ? "true" : "false") + "}");
}

/// As older clients read it.
Result<Reply> HistoryApi2(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const HistoryPage page, ListStates(room, call, id));
  std::string json = R"({"commits": [)";
  for (const Move& move : page.moves) {
    json += json.back() == '[' ? "" : ",";
    json += R"({"id": ")" + move.commit.Render() + R"(", "root_id": ")" + move.root.Render() +
            R"(", "repo_id": ")" + id.Render() + R"(", "ctime": )" +
            std::to_string(SecondsSince1970(move.at)) + R"(, "creator_name": )";
    AppendJsonString(json, move.by);
    json += R"(, "desc": )";
    AppendJsonString(json, ToldOf(move));
    json += "}";
  }
  return http::JsonReply(json + R"(], "page_next": )" + (page.more ? "true" : "false") + "}");
}

void AppendPairs(std::string& json, const StateChanges& changes) {
  std::vector<std::string> renamed;
  renamed.reserve(changes.renamed_files.size());
  for (const auto& [from, to] : changes.renamed_files) {
    renamed.push_back(from + " -> " + to);
  }
  AppendJson(json, renamed);
}

Result<Reply> Changes(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  ASSIGN_OR_RETURN(const CommitId commit, RequireCommit(asked.fields, "commit_id"));
  ASSIGN_OR_RETURN(const StateChanges changes,
                   ListChanges(room.ground, room.content, call.op, asked.person, {id, commit}));
  std::string json = R"({"new": )" + ToJson(changes.new_files) + R"(, "removed": )" +
                     ToJson(changes.removed_files) + R"(, "modified": )" +
                     ToJson(changes.changed_files) + R"(, "renamed": )";
  AppendPairs(json, changes);
  json += R"(, "newdir": )" + ToJson(changes.new_folders) + R"(, "deldir": )" +
          ToJson(changes.removed_folders) + R"(, "date_time": ")" + TimeOf(changes.state) +
          R"(", "more": )" + (changes.is_cut_off ? "true" : "false") + "}";
  return http::JsonReply(std::move(json));
}

Result<Reply> OldFolderOf(Room& room, const Call& call, const LibraryId& id,
                          const CommitId& commit) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  ASSIGN_OR_RETURN(const TreePath path, asked.fields.Path(asked.fields.Find("p") ? "p" : "path"));
  ASSIGN_OR_RETURN(const OldFolder old,
                   room.history.LoadFolder(call.op, asked.person, id, commit, path));
  std::vector<OldEntryView> entries;
  const std::string folder = WithSlash(path.Render());
  for (const Dirent& entry : old.folder->Entries()) {
    OldEntryView view{.type = entry.IsDirectory() ? "dir" : "file",
                      .name = entry.name,
                      .obj_id = entry.id.Render(),
                      .parent_dir = folder,
                      .mtime = entry.mtime};
    if (!entry.IsDirectory()) {
      view.size = entry.size;
    }
    entries.push_back(std::move(view));
  }
  return http::JsonReply(R"({"dirent_list": )" + ToJson(entries) + "}");
}

// ---- Versions of a file.

std::vector<RevisionView> RevisionsOf(Room& room, const Call& call, const RevisionPage& page) {
  PeopleNames names(room.people);
  std::vector<RevisionView> revisions;
  for (const FileRevision& one : page.revisions) {
    const std::string old = one.renamed_from.value_or("");
    revisions.push_back({.commit_id = one.state.commit.Render(),
                         .rev_file_id = one.entry.id.Render(),
                         .ctime = TimeOf(one.state),
                         .description = one.state.description,
                         .creator_email = one.state.by,
                         .creator_name = names.Of(call.op, one.state.by),
                         .creator_contact_email = one.state.by,
                         .size = one.entry.size,
                         .path = one.path,
                         .old_path = old,
                         .rev_renamed_old_path = old});
  }
  return revisions;
}

std::string NextOf(const RevisionPage& page) {
  return R"("next_start_commit": )" +
         (page.next ? "\"" + page.next->from.Render() + "\"" : std::string("false"));
}

Result<Reply> FileHistory(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  RevisionQuery query;
  ASSIGN_OR_RETURN(query.path, RequirePastPath(asked.fields));
  ASSIGN_OR_RETURN(query.from, FindCommitField(asked.fields, "commit_id"));
  ASSIGN_OR_RETURN(query.limit,
                   ReadCount(asked.fields, "limit", {.otherwise = 50, .most = kRevisionPageMax}));
  ASSIGN_OR_RETURN(const RevisionPage page,
                   room.history.ListRevisions(call.op, asked.person, id, query));
  return http::JsonReply(R"({"data": )" + ToJson(RevisionsOf(room, call, page)) + ", " +
                         NextOf(page) + "}");
}

Result<Reply> NewFileHistory(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  ASSIGN_OR_RETURN(const TreePath path, RequirePastPath(asked.fields));
  ASSIGN_OR_RETURN(const PageFields page,
                   ReadPage(asked.fields, {.otherwise = 25, .most = kRevisionPageMax}));
  ASSIGN_OR_RETURN(const RevisionPage found,
                   room.history.FollowRevisions(call.op, asked.person, id, path,
                                                {.skip = page.Skip(), .limit = page.per_page}));
  // How many there are is only known at the end; until then there is one more than was told.
  const std::uint64_t known = page.Skip() + found.revisions.size() + (found.next ? 1 : 0);
  return http::JsonReply(R"({"data": )" + ToJson(RevisionsOf(room, call, found)) + R"(, "page": )" +
                         std::to_string(page.page) + R"(, "total_count": )" +
                         std::to_string(known) + ", " + NextOf(found) + "}");
}

Result<Reply> FileRevisions(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  ASSIGN_OR_RETURN(const TreePath path, RequirePastPath(asked.fields));
  ASSIGN_OR_RETURN(
      const RevisionPage found,
      room.history.FollowRevisions(call.op, asked.person, id, path, {.limit = kRevisionPageMax}));
  return http::JsonReply(R"({"data": )" + ToJson(RevisionsOf(room, call, found)) + ", " +
                         NextOf(found) + "}");
}

// ---- Content of old versions.

/// By the state it was in, or by its content alone.
Result<OldFile> FindOld(Room& room, const Call& call, const LibraryId& id, const Asked& asked) {
  ASSIGN_OR_RETURN(const TreePath path, RequirePastPath(asked.fields));
  ASSIGN_OR_RETURN(const auto commit, FindCommitField(asked.fields, "commit_id"));
  if (commit) {
    return room.history.LoadFile(call.op, asked.person, id, *commit, path);
  }
  ASSIGN_OR_RETURN(const std::string text, asked.fields.Require("obj_id"));
  const Result<ObjectId> object = ObjectId::Parse(text);
  if (!object) {
    return Fail(ErrorCode::kInvalidArgument, "obj_id: 40 hexadecimal digits in lower case");
  }
  return room.history.FindVersion(call.op, asked.person, id, path, *object);
}

Result<std::string> LinkToOld(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const Asked asked, Read(room, call));
  ASSIGN_OR_RETURN(const OldFile old, FindOld(room, call, id, asked));
  ASSIGN_OR_RETURN(const Entrance entrance,
                   Enter(room.ground.store, call.op, asked.person, id, Permission::kRead));
  RETURN_IF_ERROR(room.unlocked.KeyFor(asked.person, entrance.library.record));
  return "/seafhttp/files/" + room.links.ForFile(asked.person, id, old.entry.id) + "/" +
         http::PercentEncode(old.entry.name);
}

Result<Reply> RevisionLink(Room& room, const Call& call, const LibraryId& id) {
  ASSIGN_OR_RETURN(const std::string link, LinkToOld(room, call, id));
  return QuotedReply(BaseOf(call.request) + link);
}

Result<Reply> LeadToOld(Room& room, const Call& call, const LibraryId& id, std::string_view query) {
  ASSIGN_OR_RETURN(const std::string link, LinkToOld(room, call, id));
  Reply reply{.status = 302, .content_type = {}};
  reply.headers.emplace_back("Location", link + std::string(query));
  return reply;
}

}  // namespace

void AddHistoryRoutes(api::Api& api, Room& room, const http::AccessRule& member) {
  const std::string library = "/api/v2.1/repos/{id}";
  const std::string library2 = "/api2/repos/{id}";
  AddRoute(api, ReadingRoute(library + "/history", member, "The states of a library"),
           OfLibrary(room, History));
  AddRoute(api, ReadingRoute(library2 + "/history", member, "The states of a library"),
           OfLibrary(room, HistoryApi2));
  http::Route changes =
      ReadingRoute("/api2/repo_history_changes/{id}", member, "What one state has changed");
  // A thousand paths, of which renamed ones are told twice.
  changes.answer_bytes_max = 2 * http::kAnswerBytesMax;
  AddRoute(api, std::move(changes), OfLibrary(room, Changes));
  AddRoute(api, ReadingRoute(library + "/file/history", member, "The versions of a file"),
           OfLibrary(room, FileHistory));
  AddRoute(api, ReadingRoute(library + "/file/new_history", member, "The versions of a file"),
           OfLibrary(room, NewFileHistory));
  AddRoute(api, ReadingRoute("/api2/repo/file_revisions/{id}", member, "The versions of a file"),
           OfLibrary(room, FileRevisions));
  for (const std::string path : {"/commits/{commit}/dir", "/commit/{commit}/dir"}) {
    AddRoute(
        api, ReadingRoute(library + path, member, "A folder as it was"),
        [&room](const Call& call, const LibraryId& id, const CommitId& commit) -> Result<Reply> {
          return OldFolderOf(room, call, id, commit);
        });
  }
  AddRoute(
      api,
      Deriving(ReadingRoute(library2 + "/file/revision", member, "A link to a version of a file")),
      OfLibrary(room, RevisionLink));
  for (const auto& [path, query] :
       {std::pair<std::string, std::string_view>{"download", ""}, {"raw", "?op=view"}}) {
    AddRoute(api,
             Deriving(ReadingRoute("/repo/{id}/history/" + path, member,
                                   "Leads to the content of a version of a file")),
             [&room, query](const Call& call, const LibraryId& id) -> Result<Reply> {
               return LeadToOld(room, call, id, query);
             });
  }
}

}  // namespace atrium::files
