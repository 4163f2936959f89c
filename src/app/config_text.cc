// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <expected>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "app/config_builder.h"
#include "app/config_keys.h"
#include "app/config_spelling.h"
#include "app/config_values.h"
#include "app/config_yaml.h"

namespace atrium::app {
namespace {

using Kind = YamlNode::Kind;

std::vector<std::string_view> Sections() {
  std::vector<std::string_view> sections;
  for (const ConfigKey& key : ConfigKeys()) {
    const std::string_view section = SectionOf(key.name);
    if (!section.empty() && (sections.empty() || sections.back() != section)) {
      sections.push_back(section);
    }
  }
  return sections;
}

/// Walks the tree of one file: sections, and the keys in them.
class FileReader {
 public:
  FileReader(std::string_view file_name, ConfigBuilder& builder)
      : file_name_(Printable(file_name)), builder_(builder), sections_(Sections()) {}

  void ReadRoot(const YamlNode& root) {
    if (root.kind == Kind::kNothing) {
      return;
    }
    if (root.kind != Kind::kMap) {
      return builder_.Refuse(Origin(root.line), "expected sections such as \"http:\"");
    }
    for (std::size_t i = 0; i + 1 < root.children.size(); i += 2) {
      ReadTopLevel(root.children[i], root.children[i + 1]);
    }
  }

  std::string Origin(std::size_t line) const { return fmt::format("{}:{}", file_name_, line); }

 private:
  void ReadTopLevel(const YamlNode& key, const YamlNode& value) {
    const std::string& name = key.text;
    if (std::ranges::find(sections_, name) != sections_.end()) {
      ReadSection(key, value);
    } else if (value.kind == Kind::kMap && FindConfigKey(name) == nullptr) {
      builder_.RefuseKey(Origin(key.line), Printable(name),
                         "unknown section" + DidYouMean(name, sections_));
    } else if (name.contains('.') && FindConfigKey(name) != nullptr) {
      builder_.RefuseKey(
          Origin(key.line), name,
          fmt::format("write it as \"{}:\" in the section \"{}:\"", LeafOf(name), SectionOf(name)));
    } else {
      ReadKey(name, key, value);
    }
  }

  void ReadSection(const YamlNode& section, const YamlNode& body) {
    const auto [first, fresh] = seen_.try_emplace(section.text, section.line);
    if (!fresh) {
      return builder_.RefuseKey(Origin(section.line), section.text,
                                fmt::format("given twice, first at {}", Origin(first->second)));
    }
    if (body.kind != Kind::kMap && body.kind != Kind::kNothing) {
      return builder_.RefuseKey(Origin(section.line), section.text,
                                "expected a section: keys, indented, on the lines below");
    }
    for (std::size_t i = 0; i + 1 < body.children.size(); i += 2) {
      const YamlNode& key = body.children[i];
      ReadKey(fmt::format("{}.{}", section.text, key.text), key, body.children[i + 1]);
    }
  }

  void ReadKey(const std::string& name, const YamlNode& key, const YamlNode& value) {
    const std::string origin = Origin(key.line);
    if (key.kind != Kind::kScalar) {
      return builder_.Refuse(origin, "expected the name of a key");
    }
    if (FindConfigKey(name) == nullptr || value.kind == Kind::kScalar) {
      return builder_.Assign(ConfigSource::kFile, origin, name,
                             {.shape = ConfigValue::Shape::kScalar, .items = {value.text}});
    }
    if (value.kind == Kind::kNothing) {
      return builder_.RefuseKey(origin, name, "has no value; remove the line, or write \"\" or []");
    }
    if (value.kind == Kind::kMap || !std::ranges::all_of(value.children, IsScalar)) {
      return builder_.RefuseKey(origin, name,
                                fmt::format("expected {}", FindConfigKey(name)->expectation));
    }
    ConfigValue list{.shape = ConfigValue::Shape::kList, .items = {}};
    for (const YamlNode& item : value.children) {
      list.items.push_back(item.text);
    }
    builder_.Assign(ConfigSource::kFile, origin, name, list);
  }

  static bool IsScalar(const YamlNode& node) { return node.kind == Kind::kScalar; }

  std::string file_name_;
  ConfigBuilder& builder_;
  std::vector<std::string_view> sections_;
  std::map<std::string, std::size_t> seen_;  // Section to line.
};

}  // namespace

Result<Config> ParseConfigText(std::string_view yaml, std::string_view file_name) {
  ConfigBuilder builder;
  ReadConfigText(yaml, file_name, builder);
  ASSIGN_OR_RETURN(EffectiveConfig effective, std::move(builder).Finish());
  return std::move(effective.config);
}

void ReadConfigText(std::string_view yaml, std::string_view file_name, ConfigBuilder& builder) {
  FileReader reader(file_name, builder);
  const std::expected<YamlNode, YamlMistake> root = ParseYaml(yaml);
  if (!root) {
    return builder.Refuse(reader.Origin(root.error().line), root.error().message);
  }
  reader.ReadRoot(*root);
}

}  // namespace atrium::app
