// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/json_peek.h"

#include <algorithm>
#include <boost/json/basic_parser_impl.hpp>
#include <boost/json/parse_options.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>

#include "base/json_read.h"

namespace atrium {
namespace {

namespace json = boost::json;

/// Takes the texts of members of the outermost object as they go by.
class Peeker {
 public:
  // NOLINTBEGIN(readability-identifier-naming): these names, and the on_ ones, are basic_parser's.
  static constexpr std::size_t max_object_size = std::numeric_limits<std::size_t>::max();
  static constexpr std::size_t max_array_size = max_object_size;
  static constexpr std::size_t max_key_size = max_object_size;
  static constexpr std::size_t max_string_size = max_object_size;
  // NOLINTEND(readability-identifier-naming)

  using Failure = boost::system::error_code;

  explicit Peeker(std::span<JsonPeek> wanted) : wanted_(wanted) {}

  // NOLINTBEGIN(readability-identifier-naming)
  bool on_document_begin(Failure&) { return true; }
  bool on_document_end(Failure&) { return true; }
  bool on_object_begin(Failure& failure) { return Open(failure); }
  bool on_object_end(std::size_t, Failure&) { return Close(); }
  bool on_array_begin(Failure& failure) { return depth_ > 0 ? Open(failure) : Refuse(failure); }
  bool on_array_end(std::size_t, Failure&) { return Close(); }
  bool on_key_part(json::string_view part, std::size_t, Failure&) {
    text_ += std::string_view(part);
    return true;
  }
  bool on_key(json::string_view part, std::size_t, Failure&) {
    text_ += std::string_view(part);
    const auto found = std::ranges::find(wanted_, std::string_view(text_), &JsonPeek::name);
    now_ = depth_ == 1 && found != wanted_.end() ? &*found : nullptr;
    text_.clear();
    return true;
  }
  bool on_string_part(json::string_view part, std::size_t, Failure&) {
    if (now_ != nullptr) {
      text_ += std::string_view(part);
    }
    return true;
  }
  bool on_string(json::string_view part, std::size_t, Failure& failure) {
    if (depth_ == 0) {
      return Refuse(failure);
    }
    if (now_ != nullptr) {
      now_->text = text_ + std::string(part);
      text_.clear();
      now_ = nullptr;
    }
    return true;
  }
  bool on_number_part(json::string_view, Failure&) { return true; }
  bool on_int64(std::int64_t, json::string_view, Failure& failure) { return Pass(failure); }
  bool on_uint64(std::uint64_t, json::string_view, Failure& failure) { return Pass(failure); }
  bool on_double(double, json::string_view, Failure& failure) { return Pass(failure); }
  bool on_bool(bool, Failure& failure) { return Pass(failure); }
  bool on_null(Failure& failure) { return Pass(failure); }
  bool on_comment_part(json::string_view, Failure&) { return true; }
  bool on_comment(json::string_view, Failure&) { return true; }
  // NOLINTEND(readability-identifier-naming)

 private:
  static bool Refuse(Failure& failure) {
    failure = make_error_code(boost::system::errc::invalid_argument);
    return false;
  }
  bool Open(Failure& failure) {
    ++depth_;
    return now_ == nullptr || Refuse(failure);
  }
  bool Close() {
    --depth_;
    return true;
  }
  /// A value that is no text.
  bool Pass(Failure& failure) { return (depth_ > 0 && now_ == nullptr) || Refuse(failure); }

  std::span<JsonPeek> wanted_;
  /// The member whose value comes next.
  JsonPeek* now_ = nullptr;
  std::size_t depth_ = 0;
  /// What of a key or text has come so far.
  std::string text_;
};

}  // namespace

Result<void> PeekJson(std::string_view document, std::span<JsonPeek> wanted) {
  json::parse_options options;
  options.max_depth = kJsonDepthMax;
  json::basic_parser<Peeker> parser(options, wanted);
  boost::system::error_code failure;
  const std::size_t read = parser.write_some(false, document.data(), document.size(), failure);
  if (failure || read < document.size()) {
    return Fail(ErrorCode::kInvalidArgument, "not an object with the texts that are looked for");
  }
  return {};
}

}  // namespace atrium
