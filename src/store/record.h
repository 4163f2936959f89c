// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <boost/mp11/list.hpp>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "base/json_read.h"
#include "base/json_shape.h"
#include "base/json_write.h"
#include "base/result.h"
#include "store/row.h"

namespace atrium::store {

/// What becomes of members of a document that its struct does not have: those of a later release
/// that ran here before, mostly.
enum class UnknownFields : std::uint8_t {
  kKeep,    ///< Written back with the record.
  kRefuse,  ///< kCorrupt: for records in which a member nobody understands may change the meaning.
};

/// What a stored struct is besides its members, which BOOST_DESCRIBE_STRUCT tells. Specialised when
/// it is more than this:
///
///   template <> struct RecordFormat<Calendar> {
///     static constexpr unsigned kNumber = 2;
///     static constexpr UnknownFields kUnknown = UnknownFields::kKeep;
///     /// From format `from` to the one after it.
///     static Result<void> Upgrade(unsigned from, boost::json::object& document);
///   };
///
/// A member that is added, with a default, needs no new number. The number is the member "format"
/// of the document; the first format is written without it.
template <typename T>
struct RecordFormat {
  static constexpr unsigned kNumber = 1;
  static constexpr UnknownFields kUnknown = UnknownFields::kKeep;
};

/// A record as it was read: to be handed back when it is replaced or erased.
template <typename T>
struct Stored {
  T record{};
  Version version{};
  /// Members the struct does not have, as they stand between the braces of the document.
  std::string unknown{};
};

namespace record_internal {

inline constexpr std::string_view kFormatMember = "format";
/// What most documents need: one that grows is copied each time it has doubled.
inline constexpr std::size_t kUsualBytes = 512;

/// Text for `document` with `format` (from 2 on) and the unknown members added behind the others.
std::string Finish(std::string document, unsigned format, std::string_view unknown);

/// The document as an object, and the format it is written in, which is taken out of it.
struct Parsed {
  boost::json::object object;
  unsigned format = 1;
};
/// kCorrupt when it is no object, or of a format after `newest`.
Result<Parsed> Parse(std::string_view document, unsigned newest);

/// The members that are not in `known`, as text.
std::string UnknownMembers(const boost::json::object& object,
                           std::span<const std::string_view> known);

Error Corrupt(Error error);

template <typename T>
inline constexpr auto kMemberNames = []<typename... Member>(boost::mp11::mp_list<Member...>) {
  return std::array<std::string_view, sizeof...(Member)>{json_shape::MemberName<Member>()...};
}(boost::mp11::mp_rename<json_shape::Members<T>, boost::mp11::mp_list>());

template <typename T>
Result<void> Upgrade(Parsed& parsed) {
  if constexpr (RecordFormat<T>::kNumber > 1) {
    for (; parsed.format < RecordFormat<T>::kNumber; ++parsed.format) {
      RETURN_IF_ERROR(RecordFormat<T>::Upgrade(parsed.format, parsed.object));
    }
  }
  return {};
}

}  // namespace record_internal

/// The document of a record: its members in the order of their description.
template <typename T>
std::string EncodeRecord(const T& record, std::string_view unknown = {}) {
  std::string document;
  document.reserve(record_internal::kUsualBytes);
  AppendJson(document, record);
  return record_internal::Finish(std::move(document), RecordFormat<T>::kNumber, unknown);
}

/// kCorrupt when the document is not one of this record: it does not parse, a member has the wrong
/// type, the format is of a later release.
template <typename T>
Result<Stored<T>> DecodeRecord(std::string_view document, Version version) {
  ASSIGN_OR_RETURN(record_internal::Parsed parsed,
                   record_internal::Parse(document, RecordFormat<T>::kNumber));
  RETURN_IF_ERROR(record_internal::Upgrade<T>(parsed));
  constexpr bool kKeep = RecordFormat<T>::kUnknown == UnknownFields::kKeep;
  Stored<T> stored{.version = version};
  if constexpr (kKeep) {
    stored.unknown =
        record_internal::UnknownMembers(parsed.object, record_internal::kMemberNames<T>);
  }
  const boost::json::value whole(std::move(parsed.object));
  Result<T> record =
      FromJsonValue<T>(whole, {.unknown = kKeep ? OnUnknown::kIgnore : OnUnknown::kRefuse,
                               .missing = OnMissing::kKeepDefault});
  if (!record) {
    return std::unexpected(record_internal::Corrupt(std::move(record).error()));
  }
  stored.record = *std::move(record);
  return stored;
}

}  // namespace atrium::store
