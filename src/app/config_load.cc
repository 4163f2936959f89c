// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_load.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <optional>
#include <string_view>
#include <system_error>
#include <utility>

#include "app/config_keys.h"
#include "app/config_spelling.h"
#include "app/config_text.h"

namespace atrium::app {
namespace {

constexpr std::string_view kPrefix = "ATRIUM_";
constexpr std::string_view kFileVariable = "ATRIUM_CONFIG";
// One byte more than the parser takes, so that it sees what is too large.
constexpr std::size_t kReadBytesMax = (256UL * 1024) + 1;

struct Variable {
  std::string_view name;
  std::string_view value;
};

std::vector<Variable> OwnVariables(const std::vector<std::string>& environment) {
  std::vector<Variable> own;
  for (const std::string_view entry : environment) {
    const std::size_t equals = entry.find('=');
    if (entry.starts_with(kPrefix) && equals != std::string_view::npos) {
      own.push_back({.name = entry.substr(0, equals), .value = entry.substr(equals + 1)});
    }
  }
  return own;
}

Result<std::string> ReadText(const std::string& path) {
  // Opening a folder succeeds; only reading fails, and without saying why.
  std::error_code failure;
  if (std::filesystem::is_directory(path, failure)) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: is a folder", Printable(path)));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    const std::error_code reason(errno, std::generic_category());
    const bool absent = reason == std::errc::no_such_file_or_directory;
    return Fail(absent ? ErrorCode::kNotFound : ErrorCode::kInvalidArgument,
                fmt::format("{}: {}", Printable(path), reason.message()));
  }
  std::string text(kReadBytesMax, '\0');
  file.read(text.data(), static_cast<std::streamsize>(text.size()));
  if (file.bad()) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{}: cannot be read", Printable(path)));
  }
  text.resize(static_cast<std::size_t>(file.gcount()));
  return text;
}

/// The file to read, if any.
std::optional<std::string> ChooseFile(const ConfigSources& sources,
                                      const std::vector<Variable>& variables) {
  if (!sources.file.empty()) {
    return sources.file;
  }
  const auto named = std::ranges::find(variables, kFileVariable, &Variable::name);
  if (named != variables.end() && !named->value.empty()) {
    return std::string(named->value);
  }
  std::error_code failure;
  if (!sources.optional_file.empty() && std::filesystem::exists(sources.optional_file, failure)) {
    return sources.optional_file;
  }
  return std::nullopt;
}

/// One value of a variable or flag. Lists are written with commas; nothing is the empty list.
ConfigValue ValueFor(const ConfigKey& key, std::string_view text) {
  ConfigValue value{.shape = key.shape, .items = {}};
  if (key.shape == ConfigValue::Shape::kScalar) {
    value.items.emplace_back(text);
    return value;
  }
  while (!text.empty()) {
    const std::size_t comma = std::min(text.find(','), text.size());
    std::string_view item = text.substr(0, comma);
    item.remove_prefix(std::min(item.find_first_not_of(' '), item.size()));
    item = item.substr(0, item.find_last_not_of(' ') + 1);
    value.items.emplace_back(item);
    text.remove_prefix(std::min(comma + 1, text.size()));
  }
  return value;
}

void ReadVariable(const Variable& variable, ConfigBuilder& builder) {
  if (variable.name == kFileVariable) {
    return;
  }
  std::vector<std::string> names;
  for (const ConfigKey& key : ConfigKeys()) {
    names.push_back(VariableName(key));
    if (names.back() == variable.name) {
      return builder.Assign(ConfigSource::kEnvironment, variable.name, key.name,
                            ValueFor(key, variable.value));
    }
  }
  const std::vector<std::string_view> known(names.begin(), names.end());
  builder.Refuse("environment", fmt::format("{}: unknown variable{}", Printable(variable.name),
                                            DidYouMean(variable.name, known)));
}

void ReadOverride(const ConfigOverride& given, ConfigBuilder& builder) {
  const ConfigKey* key = FindConfigKey(given.key);
  const ConfigValue value =
      key == nullptr ? ConfigValue{.items = {given.value}} : ValueFor(*key, given.value);
  builder.Assign(ConfigSource::kCommandLine, given.flag, given.key, value);
}

}  // namespace

Result<EffectiveConfig> LoadEffectiveConfig(const ConfigSources& sources) {
  ConfigBuilder builder;
  const std::vector<Variable> variables = OwnVariables(sources.environment);
  if (const std::optional<std::string> file = ChooseFile(sources, variables)) {
    ASSIGN_OR_RETURN(const std::string text, ReadText(*file));
    ReadConfigText(text, *file, builder);
  }
  for (const Variable& variable : variables) {
    ReadVariable(variable, builder);
  }
  for (const ConfigOverride& given : sources.overrides) {
    ReadOverride(given, builder);
  }
  return std::move(builder).Finish();
}

Result<Config> LoadConfig(const ConfigSources& sources) {
  ASSIGN_OR_RETURN(EffectiveConfig effective, LoadEffectiveConfig(sources));
  return std::move(effective.config);
}

}  // namespace atrium::app
