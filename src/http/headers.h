// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace atrium::http {

/// ASCII only, as header names and tokens are.
bool EqualsIgnoringCase(std::string_view left, std::string_view right);

struct HeaderField {
  std::string_view name;
  std::string_view value;
};

/// The header fields of one request, in the order they came. Views into the connection's buffer:
/// valid while the request is being served.
class Headers {
 public:
  void Add(std::string_view name, std::string_view value) { fields_.push_back({name, value}); }
  void clear() { fields_.clear(); }

  /// The first field of that name, whatever its case; nullopt when there is none.
  std::optional<std::string_view> Find(std::string_view name) const;
  /// The first field of that name, or empty.
  std::string_view Get(std::string_view name) const;
  std::size_t Count(std::string_view name) const;
  /// All fields of that name in one list, as RFC 9110 §5.3 allows.
  std::string Join(std::string_view name) const;

  auto begin() const { return fields_.begin(); }
  auto end() const { return fields_.end(); }

 private:
  std::vector<HeaderField> fields_;
};

}  // namespace atrium::http
