// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/object_body.h"

#include <memory>
#include <utility>

namespace atrium::files {
namespace {

constexpr std::size_t kTextPieceBytes = std::size_t{64} << 10;

std::unexpected<Error> Corrupt(const ObjectId& id) {
  return FailPrivately(ErrorCode::kCorrupt, "object " + id.Render() + " is not as it was stored");
}

}  // namespace

ObjectPieces::ObjectPieces(const Content& content, StoredObject object)
    : content_(content), object_(std::move(object)) {}

Result<std::optional<std::string>> ObjectPieces::Next() {
  if (next_ == object_.pieces) {
    return std::nullopt;
  }
  ASSIGN_OR_RETURN(std::string piece, content_.ReadPiece(op_, object_, next_));
  ++next_;
  return std::optional(std::move(piece));
}

PackBody::PackBody(const Content& content, std::string begin, StoredObject last)
    : length_(begin.size() + last.bytes),
      begin_(std::move(begin)),
      last_(content, std::move(last)) {}

Result<std::optional<std::string>> PackBody::Next() {
  return begin_.empty() ? last_.Next() : std::optional(std::exchange(begin_, {}));
}

Result<std::optional<std::string>> HeldText::Next() {
  return text_.empty() ? std::nullopt : std::optional(std::exchange(text_, {}));
}

ObjectText::ObjectText(const Content& content, StoredObject object)
    : id_(object.id), pieces_(content, std::move(object)) {}

Result<http::Body> ObjectText::Open(const Content& content, const StoredObject& object) {
  ObjectText measured(content, object);
  std::string whole;
  std::uint64_t length = 0;
  while (true) {
    ASSIGN_OR_RETURN(std::optional<std::string> piece, measured.Next());
    if (!piece) {
      break;
    }
    if (length == 0) {
      whole = *std::move(piece);
      length = whole.size();
    } else {
      length += piece->size();
    }
  }
  if (length == whole.size()) {
    return whole;
  }
  std::unique_ptr<ObjectText> text(new ObjectText(content, object));
  text->length_ = length;
  return text;
}

Result<std::optional<std::string>> ObjectText::Next() {
  while (!inflation_.IsOver()) {
    Result<std::string> piece = inflation_.Take(kTextPieceBytes);
    if (!piece) {
      return Corrupt(id_);
    }
    if (!piece->empty()) {
      return std::optional(*std::move(piece));
    }
    if (inflation_.IsOver()) {
      break;
    }
    ASSIGN_OR_RETURN(std::optional<std::string> more, pieces_.Next());
    if (!more) {
      return Corrupt(id_);
    }
    inflation_.Feed(*std::move(more));
  }
  return std::nullopt;
}

}  // namespace atrium::files
