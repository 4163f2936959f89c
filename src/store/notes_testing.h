// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <optional>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/instant.h"
#include "engines/memory/engine.h"
#include "store/change_log.h"
#include "store/collection.h"
#include "store/store.h"

/// A small collection with everything a collection can have, for the tests of this folder.
namespace atrium::store::testing {

struct Note {
  std::string id{};
  std::string folder{};
  std::string title{};
  std::vector<std::string> tags{};
  std::optional<std::string> slug{};
  std::optional<Instant> gone_at{};
};
BOOST_DESCRIBE_STRUCT(Note, (), (id, folder, title, tags, slug, gone_at))

inline constexpr Table kNoteTable{.number = 900, .name = "notes"};
inline constexpr Table kNoteSlugs{.number = 901, .name = "note_slugs"};
inline constexpr Table kNotesByFolder{
    .number = 902, .name = "notes_by_folder", .kind = TableKind::kDerived};
inline constexpr Table kNotesByTag{
    .number = 903, .name = "notes_by_tag", .kind = TableKind::kDerived};

inline Key NoteKey(std::string id) {
  return {.partition = std::move(id)};
}

inline const Collection<Note>& Notes() {
  static const Collection<Note> notes({
      .table = &kNoteTable,
      .key = [](const Note& note) { return NoteKey(note.id); },
      .unique = {{.table = &kNoteSlugs,
                  .key = [](const Note& note) -> std::optional<Key> {
                    return note.slug ? std::optional(Key{.partition = *note.slug}) : std::nullopt;
                  }}},
      .lists = {{.table = &kNotesByFolder,
                 .projection = Projection::kDocument,
                 .keys =
                     [](const Note& note) {
                       return std::vector<Key>{{.partition = note.folder, .sort = note.id}};
                     }},
                {.table = &kNotesByTag,
                 .projection = Projection::kKey,
                 .keys =
                     [](const Note& note) {
                       std::vector<Key> keys;
                       for (const std::string& tag : note.tags) {
                         keys.push_back({.partition = tag, .sort = note.id});
                       }
                       return keys;
                     }}},
      .topics = {{.log = &kChanges,
                  .topic =
                      [](const Note& note) { return std::optional("folder:" + note.folder); }}},
      .expires_at = [](const Note& note) { return note.gone_at; },
  });
  return notes;
}

/// A store on the memory engine, with a clock that stands still.
struct NoteStore {
  FixedClock clock{Instant(std::chrono::milliseconds(1'800'000'000'000))};
  engines::MemoryEngine engine{clock};
  Store store{engine, clock};
  OpContext op = OpContext::ForWork("test");
};

}  // namespace atrium::store::testing
