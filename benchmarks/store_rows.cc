// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "store_rows.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "base/hex.h"
#include "store/change_log.h"
#include "store/record.h"

namespace atrium::bench {
namespace {

constexpr std::size_t kDocumentBytes = 300;

std::string Hex(std::uint64_t number) {
  std::array<char, 8> bytes{};
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<char>(number >> (56 - 8 * i));
  }
  return EncodeHex(std::string_view(bytes.data(), bytes.size()));
}

/// Random numbers that are the same in every run.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed * 0x9E3779B97F4A7C15U + 1) {}

  std::uint64_t Next() {
    state_ ^= state_ >> 12U;  // xorshift64*
    state_ ^= state_ << 25U;
    state_ ^= state_ >> 27U;
    return state_ * 0x2545F4914F6CDD1DU;
  }

 private:
  std::uint64_t state_;
};

}  // namespace

std::string FolderName(std::uint64_t folder) {
  return "folder-" + Hex(folder);
}

std::string NoteId(std::uint64_t number) {
  return Hex(number);
}

Note MakeNote(std::uint64_t folder, std::uint64_t number) {
  Note note{.id = NoteId(number), .folder = FolderName(folder), .slug = "slug-" + Hex(number)};
  static const std::size_t kRest = kDocumentBytes - store::EncodeRecord(note).size();
  Dice dice(number);
  while (note.text.size() < kRest) {
    note.text += Hex(dice.Next());
  }
  note.text.resize(kRest);
  return note;
}

void Renumber(Note& note, std::uint64_t number) {
  note.id = NoteId(number);
  note.slug = "slug-" + note.id;
}

ReadKeys::ReadKeys(const HotRows& hot, std::uint64_t rows_behind) {
  constexpr std::size_t kKeys = 8192;
  Dice dice(7);
  while (keys_.size() < kKeys) {
    const std::uint64_t folder = hot.Folder(dice.Next());
    const std::uint64_t row = dice.Next() % (kFolderRows - rows_behind);
    keys_.push_back({.partition = FolderName(folder), .sort = NoteId(folder * kFolderRows + row)});
  }
}

HotRows HotRows::Of(std::uint64_t rows, std::uint64_t hot_folders) {
  const std::uint64_t folders = std::max<std::uint64_t>(rows / kFolderRows, 1);
  return {.folders = folders, .hot = std::min(folders, hot_folders)};
}

const store::Collection<Note>& Notes() {
  using store::Key;
  static const store::Collection<Note> kCollection({
      .table = &kNotes,
      .key = [](const Note& note) { return Key{.partition = note.id}; },
      .unique = {{.table = &kNoteSlugs,
                  .key = [](const Note& note) -> std::optional<Key> {
                    return Key{.partition = note.slug};
                  }}},
      .lists = {{.table = &kNotesByFolder,
                 .projection = store::Projection::kDocument,
                 .keys =
                     [](const Note& note) {
                       return std::vector<Key>{{.partition = note.folder, .sort = note.id}};
                     }}},
      .topics = {{.log = &store::kChanges,
                  .topic = [](const Note& note) { return std::optional(note.folder); }}},
  });
  return kCollection;
}

}  // namespace atrium::bench
