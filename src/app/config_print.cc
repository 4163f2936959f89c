// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_print.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <string_view>

#include "app/config_keys.h"
#include "app/config_values.h"

namespace atrium::app {
namespace {

constexpr std::string_view kReferenceHead = R"(# Configuration

This page is printed by `atrium config keys --markdown`; a test fails when it is out of date.

Every setting has a key such as `http.port` and a default, so the server starts without any. Values come from three
places, the later winning:

1. The file that `--config` names, or else the variable `ATRIUM_CONFIG`, or else `atrium.yaml` in the working folder when
   it exists.
2. Environment variables: `http.port` is `ATRIUM_HTTP_PORT`. Items of a list are separated by commas.
3. The command line: `--set http.port=8080` for any key; `--address`, `--port` and `--data` are short for the commonest.

The file is YAML, with one level of sections:

```yaml
data: /var/lib/atrium
http:
  port: 8080
  idle_timeout: 75s
  trusted_proxies: [10.0.0.0/8, "fd00::/8"]
```

A key that does not exist, a key given twice, a value that does not fit and an `ATRIUM_` variable that means nothing are
errors: the server says all of them, with file and line, and does not start. `atrium config check` says the same without
starting, and `atrium config print` shows every value in force and where it came from.

Durations have a unit: `250ms`, `30s`, `5m`, `12h`, `7d`. Sizes are bytes, or have a unit: `64KiB`, `1MiB`, `2GB`. Relative
paths begin at the working folder. Anchors, aliases and tags of YAML are refused.

A secret is never written in the file or on the command line, where it would be copied or seen, and never printed: give
it in its variable, or put it into a file that only the server's user can read and name that file.
)";

std::string Scalar(const std::string& text) {
  const bool plain = std::ranges::all_of(text, [](unsigned char letter) {
    return std::isalnum(letter) != 0 ||
           std::string_view("_./-").contains(static_cast<char>(letter));
  });
  // Words that begin otherwise, or that YAML reads as null, need quotes.
  const bool begins_well = !text.empty() && text.front() != '-' && text.front() != '_';
  const bool null = text == "null" || text == "Null" || text == "NULL";
  return plain && begins_well && !null ? text : Quoted(text, text.size());
}

std::string YamlValue(const ConfigValue& value) {
  if (value.shape == ConfigValue::Shape::kScalar) {
    return Scalar(value.items.front());
  }
  std::string text = "[";
  for (const std::string& item : value.items) {
    text.append(text.size() > 1 ? ", " : "").append(Scalar(item));
  }
  return text.append("]");
}

std::string DefaultOf(const ConfigKey& key) {
  return YamlValue(key.render(Config{}));
}

std::string Takes(const ConfigKey& key) {
  const bool list = key.shape == ConfigValue::Shape::kList;
  return fmt::format("{}{}", list ? "a list, each item " : "", key.expectation);
}

std::string Line(const ConfigKey& key, const EffectiveConfig& effective) {
  const auto origin = effective.origins.find(key.name);
  const bool given = origin != effective.origins.end();
  const std::string_view indent = SectionOf(key.name).empty() ? "" : "  ";
  if (key.sensitivity == Sensitivity::kSecret) {
    return fmt::format("{}# {}: {}  # {}\n", indent, LeafOf(key.name), given ? "********" : "none",
                       given ? origin->second : "default");
  }
  return fmt::format("{}{}: {}  # {}\n", indent, LeafOf(key.name),
                     YamlValue(key.render(effective.config)), given ? origin->second : "default");
}

/// The name of the section when `key` is the first of it.
std::string_view SectionBegunBy(const ConfigKey& key) {
  const std::string_view section = SectionOf(key.name);
  const bool first = &key == &ConfigKeys().front() || SectionOf((&key - 1)->name) != section;
  return first ? section : std::string_view();
}

}  // namespace

std::string RenderConfig(const EffectiveConfig& effective) {
  std::string text;
  for (const ConfigKey& key : ConfigKeys()) {
    if (const std::string_view section = SectionBegunBy(key); !section.empty()) {
      text.append(fmt::format("{}:\n", section));
    }
    text.append(Line(key, effective));
  }
  return text;
}

std::string RenderConfigKeys() {
  std::string text;
  for (const ConfigKey& key : ConfigKeys()) {
    text.append(fmt::format("{}\n    {}\n    {}; default {}; {}\n", key.name, key.description,
                            Takes(key), DefaultOf(key), VariableName(key)));
  }
  return text;
}

std::string RenderConfigReference() {
  std::string text(kReferenceHead);
  for (const ConfigKey& key : ConfigKeys()) {
    if (&key == &ConfigKeys().front() || !SectionBegunBy(key).empty()) {
      const std::string_view section = SectionOf(key.name);
      text.append(fmt::format("\n## {}\n\n| key | takes | default | meaning |\n|---|---|---|---|\n",
                              section.empty() ? "general" : section));
    }
    const bool secret = key.sensitivity == Sensitivity::kSecret;
    text.append(fmt::format("| `{}` | {} | `{}` | {}{} |\n", key.name, Takes(key), DefaultOf(key),
                            key.description, secret ? " Secret: only as a variable." : ""));
  }
  return text;
}

}  // namespace atrium::app
