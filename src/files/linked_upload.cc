// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/linked_upload.h"

#include <utility>

#include "base/bytes.h"
#include "base/json_text.h"
#include "files/names.h"
#include "files/route_parts.h"

namespace atrium::files {
namespace {

bool IsTrue(const http::Form& fields, std::string_view name) {
  const auto value = fields.Find(name);
  return value && (*value == "1" || *value == "true");
}

std::unexpected<Error> Missing(std::string_view field) {
  return Fail(ErrorCode::kInvalidArgument, std::string(field) + ": is required");
}

Result<TreePath> ReadPath(std::string_view text, std::string_view field) {
  Result<TreePath> path = TreePath::Parse(text);
  if (!path) {
    path.error().client_message.insert(0, std::string(field) + ": ");
  }
  return path;
}

}  // namespace

LinkedUpload::LinkedUpload(Room& room, const api::Upload& upload, UploadOrder order,
                           LooseSpace::Hold announced)
    : room_(room),
      upload_(upload),
      order_(std::move(order)),
      warrant_(room.links, order_.holder.link),
      announced_(std::move(announced)) {}

/// Nothing admitted the request but its link.
store::OpContext LinkedUpload::Terms() const {
  store::OpContext op = upload_.Terms();
  op.warrant = &warrant_;
  return op;
}

ChangeOf LinkedUpload::Target() const {
  return {.person = order_.holder.person, .library = order_.holder.link.library};
}

Result<void> LinkedUpload::CheckConfined(const TreePath& path) const {
  return order_.holder.link.Confines(path)
             ? Result<void>()
             : Fail(ErrorCode::kPermissionDenied, "the link is for another folder");
}

Result<TreePath> LinkedUpload::FolderOf(const http::Form& fields) const {
  const auto parent = fields.Find("parent_dir");
  if (!parent) {
    return Missing("parent_dir");
  }
  ASSIGN_OR_RETURN(const TreePath folder, ReadPath(*parent, "parent_dir"));
  RETURN_IF_ERROR(CheckConfined(folder));
  const std::string_view relative = fields.Find("relative_path").value_or("");
  return relative.empty()
             ? folder
             : ReadPath(folder.Render() + "/" + std::string(relative), "relative_path");
}

Result<TreePath> LinkedUpload::TargetOf(const http::Form& fields) const {
  const auto target = fields.Find("target_file");
  if (!target) {
    return Missing("target_file");
  }
  ASSIGN_OR_RETURN(TreePath path, ReadPath(*target, "target_file"));
  RETURN_IF_ERROR(CheckConfined(path));
  return path;
}

Result<void> LinkedUpload::BeginPiece(const http::Form& before) {
  const bool is_update = order_.holder.link.purpose == LinkPurpose::kUpdate;
  TreePath path;
  if (is_update) {
    ASSIGN_OR_RETURN(path, TargetOf(before));
  } else {
    ASSIGN_OR_RETURN(const TreePath folder, FolderOf(before));
    ASSIGN_OR_RETURN(path, folder.Child(name_));
  }
  if (partial_ || !arrived_.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "Content-Range: of one file only");
  }
  return ResumePiece({.user = order_.holder.person.id,
                      .library = order_.holder.link.library,
                      .path = std::move(path)});
}

/// Pieces count while they lie there, so what this one adds must fit.
Result<void> LinkedUpload::ResumePiece(const PartialUploadKey& key) {
  ASSIGN_OR_RETURN(const std::uint64_t there, room_.partial_uploads.Received(key));
  const std::uint64_t end = order_.piece->last + 1;
  const auto more = static_cast<std::int64_t>(end > there ? end - there : 0);
  ASSIGN_OR_RETURN(LooseSpace::Hold space, room_.loose.Reserve(upload_.Terms(), key.library, more));
  ASSIGN_OR_RETURN(partial_, room_.partial_uploads.Resume(key, *order_.piece));
  piece_space_.emplace(std::move(space));
  return {};
}

Result<void> LinkedUpload::BeginFile(const http::PartHead& head, const http::Form& before) {
  name_ = head.filename.value_or("");
  is_skipped_ = name_.empty();
  if (is_skipped_) {
    return {};
  }
  RETURN_IF_ERROR(CheckNewName(name_));
  if (order_.piece) {
    return BeginPiece(before);
  }
  writer_.emplace(room_.content, order_.holder.link.library, order_.key, &announced_);
  return {};
}

Result<void> LinkedUpload::Write(std::span<const std::byte> piece) {
  if (is_skipped_) {
    return {};
  }
  return partial_ ? partial_->Write(AsChars(piece)) : writer_->Write(Terms(), AsChars(piece));
}

Result<std::optional<FileObject>> LinkedUpload::EndPiece() {
  RETURN_IF_ERROR(partial_->EndPiece());
  if (!partial_->IsComplete()) {
    return std::nullopt;
  }
  piece_space_.reset();
  FileWriter writer(room_.content, order_.holder.link.library, order_.key);
  RETURN_IF_ERROR(
      partial_->ReadAll([&](std::string_view bytes) { return writer.Write(Terms(), bytes); }));
  ASSIGN_OR_RETURN(FileObject file, writer.Finish(Terms()));
  return std::optional(std::move(file));
}

Result<void> LinkedUpload::EndFile() {
  if (is_skipped_) {
    return {};
  }
  if (partial_) {
    ASSIGN_OR_RETURN(std::optional<FileObject> file, EndPiece());
    if (file) {
      arrived_.push_back({.name = name_, .content = *std::move(file)});
    }
    return {};
  }
  ASSIGN_OR_RETURN(FileObject file, writer_->Finish(Terms()));
  writer_.reset();
  arrived_.push_back({.name = name_, .content = std::move(file)});
  return {};
}

Result<std::vector<ChangedEntry>> LinkedUpload::PutUpdate(const http::Form& fields) {
  ASSIGN_OR_RETURN(const TreePath path, TargetOf(fields));
  if (arrived_.size() != 1) {
    return Fail(ErrorCode::kInvalidArgument, "file: one of them");
  }
  ASSIGN_OR_RETURN(Dirent entry,
                   room_.changes.Update(Terms(), Target(), path, arrived_.front().content));
  return std::vector{ChangedEntry{.folder = path.Parent(), .entry = std::move(entry)}};
}

Result<std::vector<ChangedEntry>> LinkedUpload::Put(const http::Form& fields) {
  if (order_.holder.link.purpose == LinkPurpose::kUpdate) {
    return PutUpdate(fields);
  }
  ASSIGN_OR_RETURN(const TreePath folder, FolderOf(fields));
  std::vector<ArrivedFile> files;
  files.reserve(arrived_.size());
  for (Arrived& one : arrived_) {
    files.push_back(
        {.folder = folder, .name = std::move(one.name), .content = std::move(one.content)});
  }
  if (files.empty()) {
    return Missing("file");
  }
  return room_.changes.Put(Terms(), Target(), files,
                           IsTrue(fields, "replace") ? OnTaken::kReplace : OnTaken::kRename);
}

http::Reply LinkedUpload::ReplyFor(std::span<const ChangedEntry> changed, bool wants_json) const {
  std::string text = wants_json ? "[" : "";
  for (const ChangedEntry& one : changed) {
    const std::string id = one.entry.id.Render();
    if (!wants_json) {
      text += (text.empty() ? "" : "\t") + id;
      continue;
    }
    text += text.size() > 1 ? "," : "";
    text += R"({"name":)";
    AppendJsonString(text, one.entry.name);
    text += R"(,"id":")" + id + R"(","size":)" + std::to_string(one.entry.size) + "}";
  }
  return wants_json ? http::JsonReply(text + "]") : http::TextReply(std::move(text));
}

Result<http::Reply> LinkedUpload::Finish(const http::Form& fields) {
  if (partial_ && arrived_.empty()) {
    return SuccessReply();
  }
  ASSIGN_OR_RETURN(const std::vector<ChangedEntry> changed, Put(fields));
  if (partial_) {
    partial_->Discard();
  }
  return ReplyFor(changed, order_.wants_json || IsTrue(fields, "ret-json"));
}

}  // namespace atrium::files
