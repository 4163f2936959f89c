// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"

namespace atrium::http {

/// An entity tag (RFC 9110 §8.8.3): the name of one state of a resource. Strong tags promise the
/// same bytes, weak ones (W/"...") only the same meaning.
class ETag {
 public:
  /// `opaque` goes between the quotes. kInvalidArgument when it holds a quote, a space or a control
  /// character. Empty is legal.
  static Result<ETag> Strong(std::string opaque);
  static Result<ETag> Weak(std::string opaque);

  /// Reads `"abc"` or `W/"abc"`; kInvalidArgument for anything else.
  static Result<ETag> Parse(std::string_view text);

  /// As on the wire, quotes included.
  std::string Render() const;

  const std::string& Opaque() const { return opaque_; }
  bool IsWeak() const { return weak_; }

  bool operator==(const ETag&) const = default;

 private:
  ETag(std::string opaque, bool weak) : opaque_(std::move(opaque)), weak_(weak) {}
  static Result<ETag> Make(std::string opaque, bool weak);

  std::string opaque_;  // Only etagc of RFC 9110 §8.8.3.
  bool weak_;
};

/// RFC 9110 §8.8.3.2: equal, and neither is weak.
bool MatchStrongly(const ETag& left, const ETag& right);
/// RFC 9110 §8.8.3.2: the same between the quotes.
bool MatchWeakly(const ETag& left, const ETag& right);

/// The value of If-Match or If-None-Match: `*`, or a list of tags.
struct ETagList {
  bool any = false;  ///< It was `*`, and `tags` is empty.
  std::vector<ETag> tags = {};
};

inline constexpr std::size_t kETagsMax = 256;

/// kInvalidArgument for what is neither `*` nor a list of at least one tag; kLimitExceeded past
/// kETagsMax.
Result<ETagList> ParseETagList(std::string_view text);

/// The conditional headers of one request, as sent; nullopt where there was none.
struct Preconditions {
  std::optional<std::string_view> if_match = {};
  std::optional<std::string_view> if_none_match = {};
  std::optional<std::string_view> if_modified_since = {};
  std::optional<std::string_view> if_unmodified_since = {};
};

/// What is stored now, as far as conditions can see it.
struct CurrentState {
  bool exists = true;
  std::optional<ETag> etag = {};
  std::optional<std::chrono::sys_seconds> last_modified = {};
};

/// GET and HEAD answer 304 where every other method answers 412.
enum class Intent : std::uint8_t { kRead, kWrite };

enum class Verdict : std::uint8_t { kProceed, kNotModified, kPreconditionFailed };

/// Decides in the order of RFC 9110 §13.2.2. Never fails; what cannot be read is taken the careful
/// way: an If-Match that is not a list of tags matches nothing, an If-None-Match that is not one
/// lets a read through and stops a write, and a date that is not one is ignored, as the RFC wants.
Verdict Evaluate(const Preconditions& preconditions, Intent intent, const CurrentState& current);

/// Whether a Range may be honoured beside this If-Range (RFC 9110 §13.1.5): a strong tag that
/// matches strongly, or a date equal to `last_modified`. False for anything else: send the whole.
bool IfRangeHolds(std::string_view if_range, const CurrentState& current);

}  // namespace atrium::http
