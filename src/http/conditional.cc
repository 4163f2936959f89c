// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/conditional.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "http/grammar.h"
#include "http/http_date.h"

namespace atrium::http {
namespace {

constexpr std::string_view kWeakPrefix = "W/";

/// etagc of RFC 9110 §8.8.3: visible characters but the quote, and bytes above ASCII.
bool IsTagChar(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte > 0x20 && c != '"' && byte != 0x7F;
}

/// How many bytes at the front of `text` are one entity tag; 0 when none is there.
std::size_t TagLength(std::string_view text) {
  const std::size_t open = text.starts_with(kWeakPrefix) ? kWeakPrefix.size() : 0;
  if (open >= text.size() || text[open] != '"') {
    return 0;
  }
  const std::size_t close = text.find('"', open + 1);
  return close == std::string_view::npos ? 0 : close + 1;
}

/// Takes the tag at the front of `rest` and the comma behind it.
Result<ETag> TakeTag(std::string_view& rest) {
  const std::size_t length = TagLength(rest);
  ASSIGN_OR_RETURN(ETag tag, ETag::Parse(rest.substr(0, length)));
  rest = TrimSpace(rest.substr(length));
  if (!rest.empty() && !rest.starts_with(',')) {
    return Fail(ErrorCode::kInvalidArgument, "entity tags without a comma between them");
  }
  return tag;
}

using Comparison = bool (*)(const ETag&, const ETag&);

bool Matches(const ETagList& list, const CurrentState& current, Comparison match) {
  if (!current.exists) {
    return false;
  }
  if (list.any) {
    return true;
  }
  return current.etag &&
         std::ranges::any_of(list.tags, [&](const ETag& tag) { return match(tag, *current.etag); });
}

bool IfMatchHolds(std::string_view if_match, const CurrentState& current) {
  const Result<ETagList> list = ParseETagList(if_match);
  return list && Matches(*list, current, MatchStrongly);
}

bool IfUnmodifiedSinceHolds(std::string_view since, const CurrentState& current) {
  const Result<std::chrono::sys_seconds> date = ParseHttpDate(TrimSpace(since));
  return !date || !current.last_modified || *current.last_modified <= *date;
}

bool IfNoneMatchHolds(std::string_view if_none_match, Intent intent, const CurrentState& current) {
  const Result<ETagList> list = ParseETagList(if_none_match);
  if (!list) {
    return intent == Intent::kRead;
  }
  return !Matches(*list, current, MatchWeakly);
}

bool IfModifiedSinceHolds(std::string_view since, const CurrentState& current) {
  const Result<std::chrono::sys_seconds> date = ParseHttpDate(TrimSpace(since));
  return !date || !current.last_modified || *current.last_modified > *date;
}

}  // namespace

Result<ETag> ETag::Make(std::string opaque, bool weak) {
  if (!std::ranges::all_of(opaque, IsTagChar)) {
    return Fail(ErrorCode::kInvalidArgument, "character that an entity tag cannot hold");
  }
  return ETag(std::move(opaque), weak);
}

Result<ETag> ETag::Strong(std::string opaque) {
  return Make(std::move(opaque), false);
}

Result<ETag> ETag::Weak(std::string opaque) {
  return Make(std::move(opaque), true);
}

Result<ETag> ETag::Parse(std::string_view text) {
  if (text.empty() || TagLength(text) != text.size()) {
    return Fail(ErrorCode::kInvalidArgument, "entity tag that is not in quotes");
  }
  const bool weak = text.starts_with(kWeakPrefix);
  const std::size_t open = weak ? kWeakPrefix.size() : 0;
  return Make(std::string(text.substr(open + 1, text.size() - open - 2)), weak);
}

std::string ETag::Render() const {
  return std::string(weak_ ? kWeakPrefix : "") + '"' + opaque_ + '"';
}

bool MatchStrongly(const ETag& left, const ETag& right) {
  return !left.IsWeak() && left == right;
}

bool MatchWeakly(const ETag& left, const ETag& right) {
  return left.Opaque() == right.Opaque();
}

Result<ETagList> ParseETagList(std::string_view text) {
  std::string_view rest = TrimSpace(text);
  ETagList list;
  if (rest == "*") {
    list.any = true;
    return list;
  }
  while (!rest.empty()) {
    if (rest.starts_with(',')) {  // RFC 9110 §5.6.1.2: empty list elements mean nothing.
      rest = TrimSpace(rest.substr(1));
      continue;
    }
    ASSIGN_OR_RETURN(ETag tag, TakeTag(rest));
    if (list.tags.size() == kETagsMax) {
      return Fail(ErrorCode::kLimitExceeded, "too many entity tags");
    }
    list.tags.push_back(std::move(tag));
  }
  if (list.tags.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "list of no entity tags");
  }
  return list;
}

Verdict Evaluate(const Preconditions& preconditions, Intent intent, const CurrentState& current) {
  // Step 1, or step 2 in its absence.
  if (preconditions.if_match) {
    if (!IfMatchHolds(*preconditions.if_match, current)) {
      return Verdict::kPreconditionFailed;
    }
  } else if (preconditions.if_unmodified_since &&
             !IfUnmodifiedSinceHolds(*preconditions.if_unmodified_since, current)) {
    return Verdict::kPreconditionFailed;
  }
  // Step 3, or step 4 in its absence and only for reading.
  if (preconditions.if_none_match) {
    if (!IfNoneMatchHolds(*preconditions.if_none_match, intent, current)) {
      return intent == Intent::kRead ? Verdict::kNotModified : Verdict::kPreconditionFailed;
    }
  } else if (preconditions.if_modified_since && intent == Intent::kRead &&
             !IfModifiedSinceHolds(*preconditions.if_modified_since, current)) {
    return Verdict::kNotModified;
  }
  return Verdict::kProceed;
}

bool IfRangeHolds(std::string_view if_range, const CurrentState& current) {
  const std::string_view text = TrimSpace(if_range);
  if (const Result<ETag> tag = ETag::Parse(text)) {
    return current.etag && MatchStrongly(*tag, *current.etag);
  }
  const Result<std::chrono::sys_seconds> date = ParseHttpDate(text);
  return date && current.last_modified && *date == *current.last_modified;
}

}  // namespace atrium::http
