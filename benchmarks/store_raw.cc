// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <rocksdb/db.h>
#include <rocksdb/iterator.h>
#include <rocksdb/options.h>
#include <rocksdb/write_batch.h>
#include <unistd.h>

#include <memory>
#include <vector>

#include "base/clock.h"
#include "engines/rocksdb/database.h"
#include "engines/rocksdb/layout.h"
#include "store/change_kind.h"
#include "store/change_log.h"
#include "store/collection.h"
#include "store/record.h"
#include "store/write_set.h"
#include "store_rows.h"
#include "store_sides.h"

namespace atrium::bench {
namespace {

/// Format, flags and version of a value without expiry and counters: what a raw reader skips to
/// copy the same bytes.
constexpr std::size_t kValueHeadBytes = 10;

/// The tuning of the store, so that the files are read and written alike; without what the store
/// adds for itself, and with what suits many writers, which the store does not have.
class Raw {
 public:
  explicit Raw(const Task& task) {
    rocksdb::Options options =
        rocks::Tune({.path = task.folder, .memory_bytes = task.memory_bytes}, clock_, shared_);
    options.env = rocksdb::Env::Default();
    options.statistics = nullptr;
    options.listeners.clear();
    options.compaction_filter_factory = nullptr;
    options.allow_concurrent_memtable_write = true;
    options.enable_write_thread_adaptive_yield = true;
    rocksdb::DB* db = nullptr;
    Must(rocksdb::DB::Open(options, task.folder, &db).ok(), "RocksDB opens");
    db_.reset(db);
  }

  rocksdb::DB& Db() { return *db_; }

 private:
  SystemClock clock_;
  rocks::Database shared_;
  std::unique_ptr<rocksdb::DB> db_;
};

void WarmUp(rocksdb::DB& db, const HotRows& hot) {
  for (std::uint64_t i = 0; i < hot.hot; ++i) {
    const std::string prefix =
        rocks::EncodeKey(kNotesByFolder.number, {.partition = FolderName(hot.Folder(i))});
    const std::unique_ptr<rocksdb::Iterator> rows(db.NewIterator({}));
    rows->Seek(prefix);
    for (std::uint64_t row = 0; row < kFolderRows; ++row) {
      Must(rows->Valid(), "the folder has its rows");
      rows->Next();
    }
  }
}

std::vector<std::string> Encoded(const ReadKeys& keys) {
  std::vector<std::string> encoded;
  for (const store::Key& key : keys.All()) {
    encoded.push_back(rocks::EncodeKey(kNotesByFolder.number, key));
  }
  return encoded;
}

/// The rows of one commit as bytes, in which only ids are exchanged from one to the next.
class CommitRows {
 public:
  explicit CommitRows(std::uint64_t thread)
      : note_(MakeNote(thread, thread << 32U)),
        document_(store::EncodeRecord(note_)),
        change_(store::DescribeChange(store::ChangeKind::kCreated, kNotes.name, document_)) {}

  void Fill(rocksdb::WriteBatch& batch, std::uint64_t number, std::uint64_t sequence) {
    Exchange(NoteId(number));
    Put(batch, kNotes, {.partition = note_.id}, {.document = document_});
    Put(batch, kNoteSlugs, {.partition = note_.slug},
        {.document = store::EncodePointer({.partition = note_.id})});
    Put(batch, kNotesByFolder, {.partition = note_.folder, .sort = note_.id},
        {.document = document_});
    const std::string line = store::SequenceKey(sequence);
    Put(batch, store::kChanges, {.partition = note_.folder, .sort = line}, {.document = change_});
    const std::string head = store::SequenceKey(0);
    std::string counters;
    const std::vector<store::Counter> last{{.name = std::string(store::kSequenceCounter),
                                            .value = static_cast<std::int64_t>(sequence)}};
    rocks::EncodeCounters(last, counters);
    Put(batch, store::kChanges, {.partition = note_.folder, .sort = head},
        {.counters = counters, .document = "{}"});
  }

 private:
  void Exchange(const std::string& id) {
    for (std::string* text : {&document_, &change_, &note_.slug}) {
      for (std::size_t at = text->find(note_.id); at != std::string::npos;
           at = text->find(note_.id, at)) {
        text->replace(at, id.size(), id);
        at += id.size();
      }
    }
    note_.id = id;
  }

  static void Put(rocksdb::WriteBatch& batch, const store::Table& table, const store::KeyView& key,
                  rocks::ValueView value) {
    value.version = {1};
    Must(batch.Put(rocks::EncodeKey(table.number, key), rocks::EncodeValue(value)).ok(),
         "a batch takes rows");
  }

  Note note_;
  std::string document_;
  std::string change_;
};

}  // namespace

Figures RawGet(const Task& task) {
  Raw raw(task);
  const HotRows hot = HotRows::Of(task.rows, task.hot_folders);
  WarmUp(raw.Db(), hot);
  const std::vector<std::string> keys = Encoded(ReadKeys(hot, 0));
  std::string value;
  return Measure(task, [&](std::uint64_t, std::uint64_t call) {
    Must(raw.Db().Get({}, keys[call % keys.size()], &value).ok(), "a row is there");
  });
}

Figures RawScan(const Task& task) {
  Raw raw(task);
  const HotRows hot = HotRows::Of(task.rows, task.hot_folders);
  WarmUp(raw.Db(), hot);
  const std::vector<std::string> keys = Encoded(ReadKeys(hot, kPageRows));
  std::string out;
  return Measure(task, [&](std::uint64_t, std::uint64_t call) {
    const std::unique_ptr<rocksdb::Iterator> rows(raw.Db().NewIterator({}));
    out.clear();
    rows->Seek(keys[call % keys.size()]);
    for (std::uint64_t row = 0; row < kPageRows; ++row) {
      Must(rows->Valid(), "a page is full");
      out += out.empty() ? '[' : ',';
      out += rows->value().ToStringView().substr(kValueHeadBytes);
      rows->Next();
    }
    out += ']';
  });
}

Figures RawCommit(const Task& task) {
  Raw raw(task);
  std::vector<CommitRows> rows;
  for (std::uint64_t thread = 0; thread < task.writers; ++thread) {
    rows.emplace_back(thread);
  }
  rocksdb::WriteOptions synced;
  synced.sync = true;
  return Measure(task, [&](std::uint64_t thread, std::uint64_t call) {
    rocksdb::WriteBatch batch;
    rows[thread].Fill(batch, (thread << 32U) + call, call + 1);
    Must(raw.Db().Write(synced, &batch).ok(), "RocksDB writes");
  });
}

Figures RawSync(const Task& task) {
  const std::string path = task.folder + "/sync.log";
  const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  Must(file >= 0, "the file opens");
  const std::string bytes(512, 'x');
  const Figures figures = Measure(task, [&](std::uint64_t, std::uint64_t) {
    Must(::write(file, bytes.data(), bytes.size()) == 512, "512 bytes are appended");
    Must(::fdatasync(file) == 0, "the file is synced");
  });
  ::close(file);
  return figures;
}

}  // namespace atrium::bench
