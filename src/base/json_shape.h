// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string_view>
#include <type_traits>

/// What json_write.h, json_read.h and store/record.h all need to know about a type. Included by
/// those only.
namespace atrium::json_shape {

/// A struct made known with BOOST_DESCRIBE_STRUCT.
template <typename T>
concept DescribedStruct = boost::describe::has_describe_members<T>::value && std::is_class_v<T>;

/// An enum made known with BOOST_DESCRIBE_ENUM.
template <typename T>
concept DescribedEnum = boost::describe::has_describe_enumerators<T>::value;

/// Numbers, not truth and not characters.
template <typename T>
concept Integer = std::integral<T> && !std::same_as<T, bool> && !std::same_as<T, char> &&
                  !std::same_as<T, wchar_t> && !std::same_as<T, char8_t> &&
                  !std::same_as<T, char16_t> && !std::same_as<T, char32_t>;

template <typename T>
inline constexpr bool kIsOptional = false;
template <typename T>
inline constexpr bool kIsOptional<std::optional<T>> = true;

/// Base classes first, in the order of the description.
template <DescribedStruct T>
using Members = boost::describe::describe_members<T, boost::describe::mod_public |
                                                         boost::describe::mod_inherited>;

template <DescribedEnum T>
using Enumerators = boost::describe::describe_enumerators<T>;

/// The member's name as C++ spells it.
template <typename Member>
constexpr std::string_view MemberName() {
  return Member::name;
}

/// Room for a text made while compiling.
template <std::size_t kCapacity>
struct FixedText {
  std::array<char, kCapacity> characters{};
  std::size_t size = 0;

  constexpr void Append(char c) { characters[size++] = c; }
  constexpr std::string_view View() const { return {characters.data(), size}; }
};

/// kTimedEntry is "timed_entry" on the wire: without the k, and each capital begins a word.
template <std::size_t kCapacity>
constexpr FixedText<kCapacity> EnumeratorText(std::string_view name) {
  if (name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z') {
    name.remove_prefix(1);
  }
  FixedText<kCapacity> text;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && text.size > 0) {
      text.Append('_');
    }
    text.Append(capital ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return text;
}

/// The name of one described enumerator on the wire, made while compiling.
template <typename Enumerator>
struct EnumeratorName {
  static constexpr std::string_view kSource = Enumerator::name;
  static constexpr auto kText = EnumeratorText<2 * kSource.size()>(kSource);
};

}  // namespace atrium::json_shape
