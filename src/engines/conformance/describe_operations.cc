// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <string>
#include <string_view>
#include <variant>

#include "base/hex.h"
#include "base/instant.h"
#include "engines/conformance/random_operations.h"

namespace atrium::engines {
namespace {

using store::Key;
using store::Table;

std::string Text(const Table& table, const Key& key) {
  return std::string(table.name) + "[" + EncodeHex(key.partition) + "/" + EncodeHex(key.sort) + "]";
}

std::string Text(const store::Expectation& expect) {
  switch (expect.GetKind()) {
    case store::Expectation::Kind::kNone:
      return "";
    case store::Expectation::Kind::kAbsent:
      return " if absent";
    case store::Expectation::Kind::kFresh:
      return " as it is new";
    case store::Expectation::Kind::kPresent:
      return " if present";
    case store::Expectation::Kind::kAtVersion:
      return " if at " + std::to_string(expect.GetVersion().number);
  }
  return "";
}

std::string Text(const std::optional<Instant>& expires_at) {
  return expires_at ? " until " + RenderInstant(*expires_at) : "";
}

/// Without the spaces that make it longer.
std::string Text(std::string_view document) {
  return " = " + std::string(document.substr(0, document.find(' '))) + " of " +
         std::to_string(document.size()) + " bytes";
}

std::string Text(const store::Row& row) {
  std::string text =
      Text(row.document) + " at " + std::to_string(row.version.number) + Text(row.expires_at);
  for (const store::Counter& counter : row.counters) {
    text += " " + counter.name + ":" + std::to_string(counter.value);
  }
  return text;
}

struct Describer {
  std::string operator()(const store::Put& put) const {
    return "put " + Text(*put.table, put.key) + Text(put.document) + Text(put.expires_at) +
           Text(put.expect);
  }
  std::string operator()(const store::Erase& erase) const {
    return "erase " + Text(*erase.table, erase.key) + Text(erase.expect);
  }
  std::string operator()(const store::Add& add) const {
    return "add " + Text(*add.table, add.key) + " " + add.counter + " " +
           std::to_string(add.delta) + " within " + std::to_string(add.at_least) + " to " +
           std::to_string(add.at_most) + Text(add.expect);
  }
  std::string operator()(const store::Check& check) const {
    return "check " + Text(*check.table, check.key) + Text(check.expect);
  }
  std::string operator()(const store::Append& append) const {
    return "append " + Text(*append.table, {.partition = append.partition}) +
           Text(append.document) + Text(append.expires_at) + " keep " + std::to_string(append.keep);
  }
  std::string operator()(const store::WriteSet& writes) const {
    std::string text = "commit";
    for (const store::Mutation& mutation : writes.mutations) {
      text += "; " + std::visit(*this, mutation);
    }
    return text;
  }
  std::string operator()(const GetRow& get) const { return "get " + Text(*get.table, get.key); }
  std::string operator()(const ScanPages& scan) const {
    return "scan " + Text(*scan.table, {.partition = scan.partition}) + " from " +
           EncodeHex(scan.range.from) + " before " + EncodeHex(scan.range.before) + " limit " +
           std::to_string(scan.limit) +
           (scan.direction == store::Direction::kForward ? " forward" : " backward") +
           (scan.after ? " after " + EncodeHex(*scan.after) : "");
  }
  std::string operator()(const WalkTable& walk) const {
    return "walk " + std::string(walk.table->name) + " limit " + std::to_string(walk.limit);
  }
  std::string operator()(const WriteObjects& objects) const {
    std::string text = "write objects";
    for (const store::ImmutableRow& row : objects.rows) {
      text += "; " + Text({}, row.key) + Text(row.document);
    }
    return text;
  }
  std::string operator()(const LoadRows& load) const {
    std::string text = "load";
    for (const store::KeyedRow& row : load.rows) {
      text += "; " + Text(*load.table, row.key) + Text(row.row);
    }
    return text;
  }
  std::string operator()(const MoveTime& move) const {
    return "move time by " + std::to_string(move.by.count()) + " ms";
  }
  std::string operator()(const Reopen& /*reopen*/) const { return "reopen"; }
  std::string operator()(const Compact& /*compact*/) const { return "compact"; }
};

}  // namespace

std::string Describe(const Operation& operation) {
  return std::visit(Describer(), operation);
}

}  // namespace atrium::engines
