// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/describe/class.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "store/collection.h"
#include "store/row.h"
#include "store/table.h"

/// What all sides write and read, so that they differ in nothing but how they do it.
namespace atrium::bench {

/// Its document has 300 bytes.
struct Note {
  std::string id{};
  std::string folder{};
  std::string slug{};
  std::string text{};
};
BOOST_DESCRIBE_STRUCT(Note, (), (id, folder, slug, text))

inline constexpr store::Table kNotes{.number = 900, .name = "notes"};
inline constexpr store::Table kNoteSlugs{.number = 901, .name = "note_slugs"};
inline constexpr store::Table kNotesByFolder{
    .number = 902, .name = "notes_by_folder", .kind = store::TableKind::kDerived};

/// A record with a unique index, a list index that holds the document, and a change log.
const store::Collection<Note>& Notes();

/// Distinct for distinct numbers, and of equal length.
Note MakeNote(std::uint64_t folder, std::uint64_t number);
/// Makes another note of it at little cost: the text stays.
void Renumber(Note& note, std::uint64_t number);

std::string FolderName(std::uint64_t folder);
/// Ids grow with the number.
std::string NoteId(std::uint64_t number);

// The rows for reading lie in kNotesByFolder, in folders of equal size.

inline constexpr std::uint64_t kFolderRows = 200;
inline constexpr std::uint64_t kPageRows = 50;

/// Which rows are read: a few folders spread over the whole store, whatever its size.
struct HotRows {
  std::uint64_t folders = 0;
  std::uint64_t hot = 0;

  static HotRows Of(std::uint64_t rows, std::uint64_t hot_folders);
  /// One of the hot folders, counted from zero.
  std::uint64_t Folder(std::uint64_t index) const { return (index % hot) * (folders / hot); }
};

/// Keys to read, chosen at random, the same in every run. Made beforehand, so that making them is
/// not measured.
class ReadKeys {
 public:
  /// `rows_behind` rows of the same folder follow each of them.
  ReadKeys(const HotRows& hot, std::uint64_t rows_behind);

  const store::Key& At(std::uint64_t call) const { return keys_[call % keys_.size()]; }

  const std::vector<store::Key>& All() const { return keys_; }

 private:
  std::vector<store::Key> keys_;
};

}  // namespace atrium::bench
