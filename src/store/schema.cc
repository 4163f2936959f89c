// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/schema.h"

#include <algorithm>
#include <string>

namespace atrium::store {
namespace {

std::uint16_t NumberOf(const Table* table) {
  return table->number;
}

bool IsTableName(std::string_view name) {
  return !name.empty() &&
         std::ranges::all_of(name, [](char c) { return (c >= 'a' && c <= 'z') || c == '_'; });
}

std::unexpected<Error> Refuse(ErrorCode code, const Table& table, std::string_view why) {
  return Fail(code, "table " + std::to_string(table.number) + " \"" + std::string(table.name) +
                        "\": " + std::string(why));
}

}  // namespace

Result<void> Schema::Add(const Table& table) {
  if (!IsTableName(table.name)) {
    return Refuse(ErrorCode::kInvalidArgument, table, "a name has only the letters a-z and _");
  }
  if (table.number < kTableNumberMin) {
    return Refuse(ErrorCode::kInvalidArgument, table, "the number belongs to the engines");
  }
  if (Find(table.number) != nullptr) {
    return Refuse(ErrorCode::kAlreadyExists, table, "the number is taken");
  }
  if (FindByName(table.name) != nullptr) {
    return Refuse(ErrorCode::kAlreadyExists, table, "the name is taken");
  }
  tables_.insert(std::ranges::lower_bound(tables_, table.number, {}, NumberOf), &table);
  return {};
}

const Table* Schema::Find(std::uint16_t number) const {
  const auto found = std::ranges::lower_bound(tables_, number, {}, NumberOf);
  return found != tables_.end() && (*found)->number == number ? *found : nullptr;
}

const Table* Schema::FindByName(std::string_view name) const {
  const auto found =
      std::ranges::find(tables_, name, [](const Table* table) { return table->name; });
  return found != tables_.end() ? *found : nullptr;
}

}  // namespace atrium::store
