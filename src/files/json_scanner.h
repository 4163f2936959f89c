// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "files/object_id.h"

namespace atrium::files {

/// Reads strict JSON from front to back without making a tree of it, because a directory of a
/// hundred thousand entries is read far more often than anything else is done with it. The caller
/// asks for what must come next; what comes instead is kInvalidArgument, whose message names the
/// byte and the key.
///
/// Strings are valid UTF-8 without NUL, which no client can hold either. Numbers are integers of 64
/// bits. At most kDepthMax deep. Lives no longer than the text.
class JsonScanner {
 public:
  explicit JsonScanner(std::string_view text) : text_(text) {}

  static constexpr std::size_t kDepthMax = 32;

  /// Calls `member(key)` for each member, which reads or skips its value. The key lives until then.
  template <typename Member>
  Result<void> ReadObject(Member&& member);

  /// Calls `element()` for each element, which reads or skips it.
  template <typename Element>
  Result<void> ReadArray(Element&& element);

  /// Lives until the next string is read.
  Result<std::string_view> ReadString();

  Result<void> Read(std::string& out);
  Result<void> Read(std::int64_t& out);
  template <typename Tag>
  Result<void> Read(StrongId<Tag, Sha1Id>& out);

  /// Reads a member that must not come twice: clients take the last of two, others the first.
  template <typename T>
  Result<void> ReadOnce(std::optional<T>& out);

  /// Passes over a value of any kind.
  Result<void> Skip();

  /// Refuses whatever follows the document.
  Result<void> Finish();

  /// That the text is wrong here: "byte 17, \"mtime\": expected an integer".
  std::unexpected<Error> Fault(std::string_view problem) const;

 private:
  /// The next byte that is no space; zero at the end.
  char Peek();
  bool Take(char c);
  Result<void> Expect(char c);
  Result<void> Enter(char bracket);
  Result<void> Leave(char bracket);
  Result<std::string_view> ReadKey();
  Result<std::string_view> ReadText(std::string& scratch);
  Result<std::string_view> ReadEscapedText(std::size_t start, std::string& scratch);
  Result<std::string_view> Accepted(std::string_view string);
  Result<void> ReadEscape(std::string& out);
  Result<void> ReadCodePoint(std::string& out);
  Result<std::uint32_t> ReadFourDigits();
  Result<void> SkipNumber();
  Result<void> SkipDigits();
  Result<void> SkipWord();

  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::string_view key_;
  // What strings with escapes are made in; views of keys and values must not meet.
  std::string key_scratch_;
  std::string string_scratch_;
};

template <typename Member>
Result<void> JsonScanner::ReadObject(Member&& member) {
  RETURN_IF_ERROR(Enter('{'));
  if (Peek() != '}') {
    do {
      ASSIGN_OR_RETURN(const std::string_view key, ReadKey());
      RETURN_IF_ERROR(member(key));
    } while (Take(','));
  }
  return Leave('}');
}

template <typename Element>
Result<void> JsonScanner::ReadArray(Element&& element) {
  RETURN_IF_ERROR(Enter('['));
  if (Peek() != ']') {
    do {
      RETURN_IF_ERROR(element());
    } while (Take(','));
  }
  return Leave(']');
}

template <typename Tag>
Result<void> JsonScanner::Read(StrongId<Tag, Sha1Id>& out) {
  ASSIGN_OR_RETURN(const std::string_view text, ReadString());
  Result<StrongId<Tag, Sha1Id>> id = StrongId<Tag, Sha1Id>::Parse(text);
  if (!id) {
    return Fault(id.error().client_message);
  }
  out = *id;
  return {};
}

template <typename T>
Result<void> JsonScanner::ReadOnce(std::optional<T>& out) {
  if (out) {
    return Fault("the key comes twice");
  }
  return Read(out.emplace());
}

}  // namespace atrium::files
