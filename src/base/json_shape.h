// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/describe/enumerators.hpp>
#include <boost/describe/members.hpp>
#include <boost/describe/modifiers.hpp>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <type_traits>

namespace atrium {

/// How the members of a struct, or the values of an enum, are spelled in JSON.
enum class JsonNames : std::uint8_t {
  kSnake,  ///< start_date
  kCamel,  ///< startDate, for structs
  kKebab,  ///< all-day, for enums
};

/// Specialised for types whose spelling clients of another system know:
///
///   template <> inline constexpr JsonNames kJsonNames<calendar::Entry> = JsonNames::kCamel;
template <typename T>
inline constexpr JsonNames kJsonNames = JsonNames::kSnake;

}  // namespace atrium

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

/// Room for a text made while compiling.
template <std::size_t kCapacity>
struct FixedText {
  std::array<char, kCapacity> characters{};
  std::size_t size = 0;

  constexpr void Append(char c) { characters[size++] = c; }
  constexpr std::string_view View() const { return {characters.data(), size}; }
};

/// start_date is "startDate" on the wire.
template <std::size_t kCapacity>
constexpr FixedText<kCapacity> CamelText(std::string_view name) {
  FixedText<kCapacity> text;
  bool capital = false;
  for (const char c : name) {
    if (c == '_') {
      capital = true;
      continue;
    }
    text.Append(capital && c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c);
    capital = false;
  }
  return text;
}

template <typename Class, typename Member>
Class OwnerOf(Member Class::*);

/// The struct a described member belongs to.
template <typename Member>
using Owner = decltype(OwnerOf(Member::pointer));

template <typename Member>
struct CamelName {
  static constexpr std::string_view kSource = Member::name;
  static constexpr auto kText = CamelText<kSource.size()>(kSource);
};

/// The member's name on the wire.
template <typename Member>
constexpr std::string_view MemberName() {
  if constexpr (kJsonNames<Owner<Member>> == JsonNames::kCamel) {
    return CamelName<Member>::kText.View();
  } else {
    return Member::name;
  }
}

/// kTimedEntry is "timed_entry" on the wire: without the k, and each capital begins a word.
template <std::size_t kCapacity>
constexpr FixedText<kCapacity> EnumeratorText(std::string_view name, char between) {
  if (name.size() > 1 && name[0] == 'k' && name[1] >= 'A' && name[1] <= 'Z') {
    name.remove_prefix(1);
  }
  FixedText<kCapacity> text;
  for (const char c : name) {
    const bool capital = c >= 'A' && c <= 'Z';
    if (capital && text.size > 0) {
      text.Append(between);
    }
    text.Append(capital ? static_cast<char>(c - 'A' + 'a') : c);
  }
  return text;
}

/// The name of one described enumerator on the wire, made while compiling.
template <typename Enumerator>
struct EnumeratorName {
  static constexpr std::string_view kSource = Enumerator::name;
  static constexpr char kBetween =
      kJsonNames<std::remove_cv_t<decltype(Enumerator::value)>> == JsonNames::kKebab ? '-' : '_';
  static constexpr auto kText = EnumeratorText<2 * kSource.size()>(kSource, kBetween);
};

}  // namespace atrium::json_shape
