// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_yaml.h"

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <sstream>

#include "base/utf8.h"

namespace atrium::app {
namespace {

constexpr std::size_t kTextBytesMax = 256UL * 1024;
constexpr std::size_t kDepthMax = 8;

std::size_t LineOf(const YAML::Mark& mark) {
  return mark.line < 0 ? 1 : static_cast<std::size_t>(mark.line) + 1;
}

/// Builds the tree. Refuses by throwing, because the parser has no other way to be stopped; the
/// exception ends in ParseYaml.
class TreeBuilder final : public YAML::EventHandler {
 public:
  YamlNode Take() && { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (std::exchange(started_, true)) {
      throw YAML::ParserException(mark, "a second document; there can be only one");
    }
  }
  void OnDocumentEnd() override {}
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    throw YAML::ParserException(mark, "aliases are not supported");
  }
  void OnAnchor(const YAML::Mark& mark, const std::string& /*name*/) override {
    throw YAML::ParserException(mark, "anchors are not supported");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t /*anchor*/) override {
    Add({.kind = YamlNode::Kind::kNothing, .line = LineOf(mark), .text = {}, .children = {}});
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                const std::string& value) override {
    RefuseTag(mark, tag);
    Add({.kind = YamlNode::Kind::kScalar, .line = LineOf(mark), .text = value, .children = {}});
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                       YAML::EmitterStyle::value /*style*/) override {
    Open(mark, tag, YamlNode::Kind::kList);
  }
  void OnSequenceEnd() override { Close(); }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t /*anchor*/,
                  YAML::EmitterStyle::value /*style*/) override {
    Open(mark, tag, YamlNode::Kind::kMap);
  }
  void OnMapEnd() override { Close(); }

 private:
  // "?" and "!" are what the parser itself gives to plain and quoted values.
  static void RefuseTag(const YAML::Mark& mark, const std::string& tag) {
    if (!tag.empty() && tag != "?" && tag != "!") {
      throw YAML::ParserException(mark, "tags are not supported");
    }
  }

  void Open(const YAML::Mark& mark, const std::string& tag, YamlNode::Kind kind) {
    RefuseTag(mark, tag);
    if (open_.size() == kDepthMax) {
      throw YAML::ParserException(mark, "nested too deeply");
    }
    open_.push_back({.kind = kind, .line = LineOf(mark), .text = {}, .children = {}});
  }

  void Close() {
    YamlNode node = std::move(open_.back());
    open_.pop_back();
    Add(std::move(node));
  }

  void Add(YamlNode node) {
    if (open_.empty()) {
      root_ = std::move(node);
    } else {
      open_.back().children.push_back(std::move(node));
    }
  }

  bool started_ = false;
  std::vector<YamlNode> open_;
  YamlNode root_;
};

YamlMistake MistakeAt(std::string_view text, std::size_t position, std::string message) {
  const auto lines = std::ranges::count(text.substr(0, position), '\n');
  return {.line = static_cast<std::size_t>(lines) + 1, .message = std::move(message)};
}

bool IsForbidden(char byte) {
  const auto value = static_cast<unsigned char>(byte);
  return (value < 0x20 && byte != '\n' && byte != '\r' && byte != '\t') || value == 0x7F;
}

std::optional<std::size_t> FindInvalidUtf8(std::string_view text) {
  for (std::size_t position = 0; position < text.size();) {
    const Utf8Step step = NextUtf8(text.substr(position));
    if (!step.valid) {
      return position;
    }
    position += step.bytes;
  }
  return std::nullopt;
}

std::optional<std::size_t> FindTabInIndentation(std::string_view text) {
  for (std::size_t start = 0; start < text.size();) {
    const std::size_t first = text.find_first_not_of(' ', start);
    if (first != std::string_view::npos && text[first] == '\t') {
      return first;
    }
    const std::size_t end = text.find('\n', start);
    start = end == std::string_view::npos ? text.size() : end + 1;
  }
  return std::nullopt;
}

std::optional<YamlMistake> FindBadBytes(std::string_view text) {
  if (text.size() > kTextBytesMax) {
    return YamlMistake{.message = "larger than 256KiB"};
  }
  if (const std::optional<std::size_t> bad = FindInvalidUtf8(text)) {
    return MistakeAt(text, *bad, "not UTF-8");
  }
  if (const auto bad = std::ranges::find_if(text, IsForbidden); bad != text.end()) {
    return MistakeAt(text, static_cast<std::size_t>(bad - text.begin()), "a control character");
  }
  if (const std::optional<std::size_t> tab = FindTabInIndentation(text)) {
    return MistakeAt(text, *tab, "a tab in the indentation; use spaces");
  }
  return std::nullopt;
}

/// The parser quotes the byte at which it stopped, which may be one of a longer character.
std::string WordsOfParser(const std::string& words) {
  std::string text;
  for (std::string_view rest = words; !rest.empty();) {
    const Utf8Step step = NextUtf8(rest);
    text.append(step.valid ? rest.substr(0, step.bytes) : "\uFFFD");
    rest.remove_prefix(step.bytes);
  }
  return text;
}

}  // namespace

std::expected<YamlNode, YamlMistake> ParseYaml(std::string_view text) {
  if (std::optional<YamlMistake> mistake = FindBadBytes(text)) {
    return std::unexpected(*std::move(mistake));
  }
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    TreeBuilder tree;
    while (parser.HandleNextDocument(tree)) {
    }
    return std::move(tree).Take();
  } catch (const YAML::Exception& failure) {
    return std::unexpected(
        YamlMistake{.line = LineOf(failure.mark), .message = WordsOfParser(failure.msg)});
  } catch (const std::exception& failure) {
    return std::unexpected(YamlMistake{.message = failure.what()});
  }
}

}  // namespace atrium::app
