// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "lab_notes.h"

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "api/change_stream.h"
#include "base/json_write.h"
#include "http/json_body.h"
#include "store/change_log.h"
#include "store/key_bytes.h"
#include "store/store.h"

namespace atrium::lab {
namespace {

using api::Call;
using http::Method;
using http::Reply;
using store::Batch;
using store::Key;
using store::Receipt;
using store::Stored;

struct Note {
  std::string id{};
  std::string folder{};
  std::string title{};
  std::optional<std::string> slug{};
};
BOOST_DESCRIBE_STRUCT(Note, (), (id, folder, title, slug))

constexpr store::Table kNoteTable{.number = 900, .name = "lab_notes"};
constexpr store::Table kSlugs{.number = 901, .name = "lab_note_slugs"};
constexpr store::Table kByFolder{
    .number = 902, .name = "lab_notes_by_folder", .kind = store::TableKind::kDerived};

Key NoteKey(const std::string& id) {
  return {.partition = id};
}

std::string TopicOf(const std::string& folder) {
  return store::KeyBytes().Text("lab").Text(folder).Take();
}

const store::Collection<Note>& Notes() {
  static const store::Collection<Note> notes({
      .table = &kNoteTable,
      .key = [](const Note& note) { return NoteKey(note.id); },
      .unique = {{.table = &kSlugs,
                  .key = [](const Note& note) -> std::optional<Key> {
                    return note.slug ? std::optional(Key{.partition = *note.slug}) : std::nullopt;
                  }}},
      .lists = {{.table = &kByFolder,
                 .projection = store::Projection::kDocument,
                 .keys =
                     [](const Note& note) {
                       return std::vector<Key>{{.partition = note.folder, .sort = note.id}};
                     }}},
      .topics = {{.log = &store::kChanges,
                  .topic = [](const Note& note) { return std::optional(TopicOf(note.folder)); }}},
  });
  return notes;
}

http::Route RouteOf(Method method, std::string path, std::string summary) {
  return {.method = method,
          .path = std::move(path),
          .access = http::Anyone(),
          .work = http::IsSafe(method) ? http::Work::kQuick : http::Work::kBlocking,
          .summary = std::move(summary),
          .body_bytes_max = http::IsSafe(method) ? std::size_t{0} : std::size_t{1} << 16};
}

Reply Tagged(std::string document, store::Version version, int status) {
  Reply reply = http::JsonReply(std::move(document), status);
  reply.etag = api::TagOf(version);
  return reply;
}

Result<Reply> Create(store::Store& store, const Call& call) {
  ASSIGN_OR_RETURN(const Note note, http::JsonBody<Note>(call.request));
  Batch batch;
  batch.Create(Notes(), note);
  ASSIGN_OR_RETURN(const Receipt receipt, store.Commit(call.op, std::move(batch)));
  return Tagged(store::EncodeRecord(note), receipt.version, 201);
}

Result<Reply> Replace(store::Store& store, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(Note note, http::JsonBody<Note>(call.request));
  note.id = id;
  ASSIGN_OR_RETURN(const Stored<Note> old, store::Load(store, call.op, Notes(), NoteKey(id)));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  Batch batch;
  batch.Replace(Notes(), old, note);
  ASSIGN_OR_RETURN(const Receipt receipt, store.Commit(call.op, std::move(batch)));
  return Tagged(store::EncodeRecord(note, old.unknown), receipt.version, 200);
}

Result<Reply> Erase(store::Store& store, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const Stored<Note> old, store::Load(store, call.op, Notes(), NoteKey(id)));
  RETURN_IF_ERROR(api::CheckIfMatch(call.request, old.version));
  Batch batch;
  batch.Erase(Notes(), old);
  RETURN_IF_ERROR(store.Commit(call.op, std::move(batch)));
  return http::EmptyReply();
}

Result<Reply> Show(store::Store& store, const Call& call, const std::string& id) {
  ASSIGN_OR_RETURN(const std::optional<store::Row> row,
                   store.Get(call.op, kNoteTable, NoteKey(id)));
  if (!row) {
    return Fail(ErrorCode::kNotFound, "there is no such note");
  }
  return Tagged(row->document, row->version, 200);
}

Result<Reply> ListFolder(store::Store& store, const Call& call, const std::string& folder) {
  ASSIGN_OR_RETURN(const http::Form query, call.request.Query());
  store::ScanRequest request{.table = &kByFolder, .partition = folder, .limit = 50};
  if (const auto after = query.Find("after")) {
    request.after = std::string(*after);
  }
  std::string json = R"({"notes":)";
  ASSIGN_OR_RETURN(const store::ScanEnd end, store::ListJson(store, call.op, request, json));
  if (end.resume) {
    json += R"(,"after":)";
    AppendJson(json, *end.resume);
  }
  return http::JsonReply(json + "}");
}

Result<Reply> Follow(store::Store& store, const Call& call, const std::string& folder) {
  static const SystemClock clock;
  ASSIGN_OR_RETURN(const std::optional<std::uint64_t> after, api::LastEventId(call.request));
  return Reply{
      .content_type = "text/event-stream",
      .body = api::FollowChanges(
          store, clock,
          {.topic = TopicOf(folder), .after = after, .trace = std::string(call.request.id)})};
}

}  // namespace

const store::AnyCollection& NoteCollection() {
  return Notes();
}

void AddNotes(api::Api& api) {
  store::Store& store = api.GetStore();
  api.Add(RouteOf(Method::kPost, "/lab/notes", "Write a note"),
          [&store](const Call& call) { return Create(store, call); });
  api.Add(RouteOf(Method::kPut, "/lab/notes/{id}", "Write it again"),
          [&store](const Call& call, const std::string& id) { return Replace(store, call, id); });
  api.Add(RouteOf(Method::kDelete, "/lab/notes/{id}", "Throw it away"),
          [&store](const Call& call, const std::string& id) { return Erase(store, call, id); });
  api.Add(RouteOf(Method::kGet, "/lab/notes/{id}", "Read it"),
          [&store](const Call& call, const std::string& id) { return Show(store, call, id); });
  api.Add(RouteOf(Method::kGet, "/lab/folders/{folder}/notes", "What is in the folder"),
          [&store](const Call& call, const std::string& folder) {
            return ListFolder(store, call, folder);
          });
  http::Route events =
      RouteOf(Method::kGet, "/lab/folders/{folder}/events", "What happens in the folder");
  events.gives = http::Gives::kStream;
  api.Add(std::move(events), [&store](const Call& call, const std::string& folder) {
    return Follow(store, call, folder);
  });
}

}  // namespace atrium::lab
