// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/name_twins.h"

#include <utf8proc.h>

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <memory>

#include "base/check.h"

namespace atrium::files {
namespace {

struct Free {
  void operator()(utf8proc_uint8_t* text) const { std::free(text); }
};

bool IsAscii(std::string_view name) {
  return std::ranges::all_of(name, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

}  // namespace

std::string ComposeName(std::string_view name) {
  if (IsAscii(name)) {
    return std::string(name);
  }
  constexpr auto kNormalFormC = static_cast<utf8proc_option_t>(UTF8PROC_STABLE | UTF8PROC_COMPOSE);
  utf8proc_uint8_t* composed = nullptr;
  const utf8proc_ssize_t size =
      utf8proc_map(reinterpret_cast<const utf8proc_uint8_t*>(name.data()),
                   static_cast<utf8proc_ssize_t>(name.size()), &composed, kNormalFormC);
  const std::unique_ptr<utf8proc_uint8_t, Free> owner(composed);
  Check(size >= 0, "a valid name can be composed");
  return {reinterpret_cast<const char*>(composed), static_cast<std::size_t>(size)};
}

const Dirent* FindTwin(const Directory& directory, std::string_view name) {
  if (const Dirent* same = directory.Find(name)) {
    return same;
  }
  const std::string composed = ComposeName(name);
  // A name of ASCII alone is its own composed form.
  const auto looks_alike = [&](const Dirent& entry) {
    return IsAscii(entry.name) ? entry.name == composed : ComposeName(entry.name) == composed;
  };
  const auto twin = std::ranges::find_if(directory.Entries(), looks_alike);
  return twin == directory.Entries().end() ? nullptr : &*twin;
}

}  // namespace atrium::files
