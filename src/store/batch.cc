// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store/batch.h"

#include <algorithm>

#include "base/json_write.h"
#include "store/change_log.h"

namespace atrium::store {
namespace {

/// The erasure of the row that `put` writes, if the batch has one.
std::vector<Mutation>::iterator FindErasure(std::vector<Mutation>& mutations, const Put& put) {
  return std::ranges::find_if(mutations, [&](const Mutation& mutation) {
    const auto* erase = std::get_if<Erase>(&mutation);
    return erase != nullptr && *erase->table == *put.table && erase->key == put.key;
  });
}

}  // namespace

std::string DescribeChange(ChangeKind kind, std::string_view collection,
                           std::string_view document) {
  std::string text = "{\"change\":";
  AppendJson(text, kind);
  text += ",\"collection\":";
  AppendJson(text, collection);
  text += ",\"document\":";
  text += document;
  text += '}';
  return text;
}

WriteSet Batch::Take() {
  std::vector<Mutation>& mutations = writes_.mutations;
  for (std::size_t i = 0; i < mutations.size(); ++i) {
    auto* put = std::get_if<Put>(&mutations[i]);
    if (put == nullptr || put->expect.GetKind() != Expectation::Kind::kAbsent) {
      continue;
    }
    if (const auto erasure = FindErasure(mutations, *put); erasure != mutations.end()) {
      put->expect = Expectation::Present();
      i -= erasure < mutations.begin() + static_cast<std::ptrdiff_t>(i) ? 1 : 0;
      mutations.erase(erasure);
    }
  }
  return std::move(writes_);
}

void Batch::Log(const Table& log, std::string topic, std::string document) {
  Add(AppendChange(log, std::move(topic), std::move(document)));
}

void Batch::Change(const Table& base, const std::optional<OldState>& before,
                   const std::optional<NewState>& after) {
  AnswerWith(before, after);
  // The record comes first: metrics count a commit for the table of its first mutation.
  if (after) {
    WriteBase(base, before, *after);
  }
  if (before && (!after || after->key != before->key)) {
    Add(store::Erase{
        .table = &base, .key = before->key, .expect = Expectation::At(before->version)});
  }
  if (before) {
    EraseIndexes(*before, after);
  }
  if (after) {
    WriteIndexes(before, *after);
  }
}

void Batch::AnswerWith(const std::optional<OldState>& before,
                       const std::optional<NewState>& after) {
  if (std::exchange(answered_, true)) {
    return;
  }
  if (after) {
    default_answer_ = {.status = before ? 200 : 201, .body = after->document};
  }
}

void Batch::WriteBase(const Table& base, const std::optional<OldState>& before,
                      const NewState& after) {
  const bool stays = before && before->key == after.key;
  Add(Put{.table = &base,
          .key = after.key,
          .document = after.document,
          .expect = stays ? Expectation::At(before->version) : after.expect,
          .expires_at = after.expires_at});
}

void Batch::WriteIndexes(const std::optional<OldState>& before, const NewState& after) {
  for (const IndexRow& row : after.rows) {
    const IndexRow* old = before ? FindRow(before->rows, *row.table, row.key) : nullptr;
    // A row that holds the document is written again even when nothing but the version changes.
    if (old != nullptr && row.projection == Projection::kKey && old->document == row.document &&
        before->expires_at == after.expires_at) {
      continue;
    }
    const bool claim = row.unique && old == nullptr;
    Add(Put{.table = row.table,
            .key = row.key,
            .document = row.document,
            .expect = claim ? Expectation::Absent() : Expectation::None(),
            .expires_at = after.expires_at});
  }
}

void Batch::EraseIndexes(const OldState& before, const std::optional<NewState>& after) {
  for (const IndexRow& row : before.rows) {
    if (!after || FindRow(after->rows, *row.table, row.key) == nullptr) {
      Add(store::Erase{.table = row.table, .key = row.key});
    }
  }
}

}  // namespace atrium::store
