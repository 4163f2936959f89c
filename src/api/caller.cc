// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "api/caller.h"

#include <array>

#include "base/check.h"

namespace atrium::api {
namespace {

constexpr std::uint32_t kBitsPerArea = 2;

struct NamedArea {
  Area area;
  std::string_view name;
};
constexpr std::array kAreas{
    NamedArea{.area = Area::kAccount, .name = "account"},
    NamedArea{.area = Area::kCalendars, .name = "calendars"},
    NamedArea{.area = Area::kGroups, .name = "groups"},
    NamedArea{.area = Area::kFiles, .name = "files"},
    NamedArea{.area = Area::kAdmin, .name = "admin"},
};

constexpr std::uint32_t ShiftOf(Area area) {
  return static_cast<std::uint32_t>(area) * kBitsPerArea;
}

constexpr std::uint32_t BitsOf(Area area, Scopes::Right right) {
  return static_cast<std::uint32_t>(right) << ShiftOf(area);
}

std::optional<Scopes::Right> ParseRight(std::string_view text) {
  if (text == "read") {
    return Scopes::Right::kRead;
  }
  return text == "write" ? std::optional(Scopes::Right::kWrite) : std::nullopt;
}

/// The bits of "files:write"; zero when it is none.
std::uint32_t ParseScope(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) {
    return 0;
  }
  const std::optional<Scopes::Right> right = ParseRight(text.substr(colon + 1));
  for (const auto& [area, name] : kAreas) {
    if (right && name == text.substr(0, colon)) {
      return BitsOf(area, *right);
    }
  }
  return 0;
}

}  // namespace

Scopes Scopes::All() {
  Scopes all;
  for (const NamedArea& named : kAreas) {
    all.bits_ |= BitsOf(named.area, Right::kWrite);
  }
  return all;
}

Result<Scopes> Scopes::Parse(const std::vector<std::string>& texts) {
  Scopes scopes;
  for (const std::string& text : texts) {
    if (text == "*") {
      return All();
    }
    const std::uint32_t bits = ParseScope(text);
    if (bits == 0) {
      return Fail(ErrorCode::kInvalidArgument, "there is no scope \"" + text + "\"");
    }
    for (const NamedArea& named : kAreas) {
      const std::uint32_t mask =
          BitsOf(named.area, Right::kRead) | BitsOf(named.area, Right::kWrite);
      if ((bits & mask) > (scopes.bits_ & mask)) {
        scopes.bits_ = (scopes.bits_ & ~mask) | (bits & mask);
      }
    }
  }
  return scopes;
}

std::vector<std::string> Scopes::Render() const {
  if (*this == All()) {
    return {"*"};
  }
  std::vector<std::string> texts;
  for (const auto& [area, name] : kAreas) {
    if (Allows(area, Right::kRead)) {
      texts.push_back(std::string(name) + (Allows(area, Right::kWrite) ? ":write" : ":read"));
    }
  }
  return texts;
}

bool Scopes::Allows(Area area, Right right) const {
  const std::uint32_t mask = BitsOf(area, Right::kRead) | BitsOf(area, Right::kWrite);
  return (bits_ & mask) >= BitsOf(area, right);
}

bool Scopes::Covers(const Scopes& other) const {
  for (const NamedArea& named : kAreas) {
    const std::uint32_t mask = BitsOf(named.area, Right::kRead) | BitsOf(named.area, Right::kWrite);
    if ((bits_ & mask) < (other.bits_ & mask)) {
      return false;
    }
  }
  return true;
}

std::string Caller::Name() const {
  if (user) {
    return "user:" + user->Render();
  }
  return IsOperator() ? "operator" : "session:" + credential_id;
}

std::string Caller::MemberKey() const {
  return user ? "auth:" + user->Render() : "guest:" + credential_id;
}

const Caller* FindCaller(const http::Request& request) {
  return dynamic_cast<const Caller*>(request.principal.get());
}

const Caller& CallerOf(const http::Request& request) {
  const Caller* caller = FindCaller(request);
  Check(caller != nullptr, "the rule of the route names a caller");
  return *caller;
}

}  // namespace atrium::api
