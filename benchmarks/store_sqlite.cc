// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "store/change_kind.h"
#include "store/record.h"
#include "store_rows.h"
#include "store_sides.h"

namespace atrium::bench {
namespace {

struct Closer {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql) {
    sqlite3_stmt* statement = nullptr;
    Must(sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement,
                            nullptr) == SQLITE_OK,
         sqlite3_errmsg(database));
    statement_.reset(statement);
  }

  void Bind(int place, std::string_view text) {
    Must(sqlite3_bind_text(statement_.get(), place, text.data(), static_cast<int>(text.size()),
                           SQLITE_STATIC) == SQLITE_OK,
         "SQLite takes a text");
  }

  /// False at the end of the rows.
  bool Step() {
    const int code = sqlite3_step(statement_.get());
    Must(code == SQLITE_ROW || code == SQLITE_DONE, "SQLite steps");
    return code == SQLITE_ROW;
  }

  std::string_view Column() {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), 0));
    return {text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), 0))};
  }

  void Reset() { sqlite3_reset(statement_.get()); }

  void Run() {
    Step();
    Reset();
  }

 private:
  std::unique_ptr<sqlite3_stmt, Closer> statement_;
};

/// For reading: the documents in the order in which they are read, which is the best it can have.
/// For writing: a record with two indexes, and a log.
constexpr const char* kSchema =
    "CREATE TABLE IF NOT EXISTS notes_by_folder (folder TEXT, id TEXT, document TEXT,"
    "  PRIMARY KEY (folder, id)) WITHOUT ROWID;"
    "CREATE TABLE IF NOT EXISTS notes (id TEXT PRIMARY KEY, slug TEXT NOT NULL UNIQUE,"
    "  folder TEXT NOT NULL, document TEXT NOT NULL) WITHOUT ROWID;"
    "CREATE INDEX IF NOT EXISTS notes_in_folder ON notes (folder, id);"
    "CREATE TABLE IF NOT EXISTS changes (topic TEXT, number INTEGER, document TEXT,"
    "  PRIMARY KEY (topic, number)) WITHOUT ROWID;";

class Sqlite {
 public:
  explicit Sqlite(const Task& task) {
    sqlite3* database = nullptr;
    const int code = sqlite3_open((task.folder + "/bench.sqlite").c_str(), &database);
    database_.reset(database);
    Must(code == SQLITE_OK, "SQLite opens");
    Run("PRAGMA journal_mode=WAL");
    Run("PRAGMA synchronous=FULL");
    Run("PRAGMA cache_size=-" + std::to_string(task.memory_bytes / 1024));
    Run(kSchema);
  }

  void Run(const std::string& sql) {
    Must(sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK,
         sqlite3_errmsg(database_.get()));
  }

  sqlite3* Get() { return database_.get(); }

 private:
  std::unique_ptr<sqlite3, Closer> database_;
};

/// One connection for all threads: those that wait for it do so without polling, which is faster
/// than a connection for each.
class SqliteNotes {
 public:
  explicit SqliteNotes(Sqlite& sqlite)
      : begin_(sqlite.Get(), "BEGIN IMMEDIATE"),
        commit_(sqlite.Get(), "COMMIT"),
        note_(sqlite.Get(), "INSERT INTO notes VALUES (?1, ?2, ?3, ?4)"),
        change_(sqlite.Get(),
                "INSERT INTO changes VALUES (?1,"
                " (SELECT coalesce(max(number), 0) + 1 FROM changes WHERE topic = ?1), ?2)") {}

  void Create(const Note& note) {
    const std::string document = store::EncodeRecord(note);
    const std::string change =
        store::DescribeChange(store::ChangeKind::kCreated, kNotes.name, document);
    const std::scoped_lock lock(mutex_);
    begin_.Run();
    note_.Bind(1, note.id);
    note_.Bind(2, note.slug);
    note_.Bind(3, note.folder);
    note_.Bind(4, document);
    note_.Run();
    change_.Bind(1, note.folder);
    change_.Bind(2, change);
    change_.Run();
    commit_.Run();
  }

 private:
  std::mutex mutex_;
  Statement begin_;
  Statement commit_;
  Statement note_;
  Statement change_;
};

}  // namespace

Figures SqliteFill(const Task& task) {
  Sqlite sqlite(task);
  Statement insert(sqlite.Get(), "INSERT INTO notes_by_folder VALUES (?1, ?2, ?3)");
  sqlite.Run("BEGIN");
  for (std::uint64_t i = 0; i < task.rows; ++i) {
    const Note note = MakeNote(i / kFolderRows, i);
    const std::string document = store::EncodeRecord(note);
    insert.Bind(1, note.folder);
    insert.Bind(2, note.id);
    insert.Bind(3, document);
    insert.Run();
  }
  sqlite.Run("COMMIT");
  sqlite.Run("PRAGMA wal_checkpoint(TRUNCATE)");
  return {{"rows", static_cast<double>(task.rows)}};
}

Figures SqliteScan(const Task& task) {
  Sqlite sqlite(task);
  Statement select(sqlite.Get(),
                   "SELECT document FROM notes_by_folder WHERE folder = ?1 AND id >= ?2"
                   " ORDER BY id LIMIT 50");
  const HotRows hot = HotRows::Of(task.rows, task.hot_folders);
  const ReadKeys keys(hot, kPageRows);
  std::string out;
  const auto page = [&](std::string_view folder, std::string_view id) {
    select.Bind(1, folder);
    select.Bind(2, id);
    out.clear();
    while (select.Step()) {
      out += out.empty() ? '[' : ',';
      out += select.Column();
    }
    select.Reset();
    out += ']';
    Must(out.size() > kPageRows * 300, "a page is full");
  };
  for (std::uint64_t i = 0; i < hot.hot * 4; ++i) {
    const std::uint64_t folder = hot.Folder(i / 4);
    page(FolderName(folder), NoteId(folder * kFolderRows + i % 4 * kPageRows));
  }
  return Measure(task, [&](std::uint64_t, std::uint64_t call) {
    page(keys.At(call).partition, keys.At(call).sort);
  });
}

Figures SqliteCommit(const Task& task) {
  Sqlite sqlite(task);
  SqliteNotes table(sqlite);
  std::vector<Note> notes;
  for (std::uint64_t thread = 0; thread < task.writers; ++thread) {
    notes.push_back(MakeNote(thread, 0));
  }
  return Measure(task, [&](std::uint64_t thread, std::uint64_t call) {
    Renumber(notes[thread], (thread << 32U) + call);
    table.Create(notes[thread]);
  });
}

}  // namespace atrium::bench
