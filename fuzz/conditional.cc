// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/conditional.h"

#include <algorithm>
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "http/http_date.h"

namespace atrium::fuzz {
namespace {

using http::CurrentState;
using http::ETag;
using http::ETagList;
using http::Intent;
using http::Preconditions;
using http::Verdict;

std::optional<std::string_view> LineIfAny(std::string_view& rest) {
  const std::string_view line = TakeLine(rest);
  return line.empty() ? std::nullopt : std::optional(line);
}

void CheckList(std::string_view text) {
  const Result<ETagList> list = http::ParseETagList(text);
  if (!list) {
    return;
  }
  Check(list->any == list->tags.empty(), "a star or at least one tag");
  std::string rendered = list->any ? "*" : "";
  for (const ETag& tag : list->tags) {
    Check(ETag::Parse(tag.Render()) == tag, "a rendered tag reads back");
    rendered += tag.Render() + ", ";
  }
  const Result<ETagList> back = http::ParseETagList(rendered);
  Check(back && back->any == list->any && back->tags == list->tags, "a rendered list reads back");
}

void CheckDate(std::string_view text) {
  if (const Result<std::chrono::sys_seconds> date = http::ParseHttpDate(text)) {
    Check(http::ParseHttpDate(http::RenderHttpDate(*date)) == *date, "a rendered date reads back");
  }
}

void CheckVerdicts(const Preconditions& preconditions, const CurrentState& current) {
  const Verdict read = http::Evaluate(preconditions, Intent::kRead, current);
  const Verdict write = http::Evaluate(preconditions, Intent::kWrite, current);
  Check(write != Verdict::kNotModified, "a write is never answered with 304");
  Check(read != Verdict::kPreconditionFailed || write == Verdict::kPreconditionFailed,
        "what stops a read stops a write");
  if (!current.exists && preconditions.if_match) {
    Check(read == Verdict::kPreconditionFailed, "nothing stored matches nothing");
  }
}

}  // namespace

/// One line each: If-Match, If-None-Match, If-Modified-Since, If-Unmodified-Since, If-Range, then
/// what stands between the quotes of the stored tag.
void TryInput(std::string_view input) {
  std::string_view rest = input;
  const Preconditions preconditions{.if_match = LineIfAny(rest),
                                    .if_none_match = LineIfAny(rest),
                                    .if_modified_since = LineIfAny(rest),
                                    .if_unmodified_since = LineIfAny(rest)};
  const std::string_view if_range = TakeLine(rest);
  CheckList(preconditions.if_match.value_or(""));
  CheckList(preconditions.if_none_match.value_or(""));
  CheckDate(preconditions.if_modified_since.value_or(""));
  CheckDate(preconditions.if_unmodified_since.value_or(""));

  CheckVerdicts(preconditions, {.exists = false});
  const Result<ETag> tag = ETag::Strong(std::string(rest));
  if (!tag) {
    return;
  }
  const CurrentState current{.etag = *tag, .last_modified = std::chrono::sys_days{}};
  CheckVerdicts(preconditions, current);
  if (http::IfRangeHolds(if_range, current) && ETag::Parse(if_range)) {
    Check(http::Evaluate({.if_match = if_range}, Intent::kRead, current) == Verdict::kProceed,
          "If-Range and If-Match agree on a tag");
  }
}

}  // namespace atrium::fuzz
