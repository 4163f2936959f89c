// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "engines/rocksdb/engine.h"
#include "store/batch.h"
#include "store/engine.h"
#include "store/record.h"
#include "store/row.h"
#include "store/store.h"
#include "store_rows.h"
#include "store_sides.h"

namespace atrium::bench {
namespace {

/// Everything as it is in the server.
struct Ours {
  explicit Ours(const Task& task)
      : engine(Must(rocks::RocksEngine::Open(
            {.path = task.folder, .memory_bytes = task.memory_bytes}, clock))) {}

  SystemClock clock;
  std::unique_ptr<rocks::RocksEngine> engine;
  store::Store store{*engine, clock};
};

std::vector<store::KeyedRow> FolderOfRows(std::uint64_t folder) {
  std::vector<store::KeyedRow> rows;
  rows.reserve(kFolderRows);
  for (std::uint64_t i = 0; i < kFolderRows; ++i) {
    Note note = MakeNote(folder, folder * kFolderRows + i);
    std::string document = store::EncodeRecord(note);
    rows.push_back({.key = {.partition = std::move(note.folder), .sort = std::move(note.id)},
                    .row = {.document = std::move(document), .version = {folder + 1}}});
  }
  return rows;
}

/// In an order that has nothing to do with the keys: sorted rows would never need compaction.
std::uint64_t Scattered(std::uint64_t index, std::uint64_t count) {
  constexpr std::uint64_t kPrime = 1'000'003;
  return (index * kPrime) % count;
}

void Fill(Ours& ours, const Task& task) {
  const std::uint64_t folders = HotRows::Of(task.rows, 1).folders;
  std::vector<store::KeyedRow> batch;
  for (std::uint64_t i = 0; i < folders; ++i) {
    std::vector<store::KeyedRow> rows = FolderOfRows(Scattered(i, folders));
    std::move(rows.begin(), rows.end(), std::back_inserter(batch));
    if (batch.size() >= 1000 || i + 1 == folders) {
      Must(ours.store.Load({}, kNotesByFolder, batch));
      batch.clear();
    }
  }
}

double Statistic(Ours& ours, std::string_view name) {
  for (const store::Statistic& statistic : ours.store.Statistics()) {
    if (statistic.name == name) {
      return statistic.value;
    }
  }
  GiveUp("the engine has no such statistic");
}

/// Until nothing is being rewritten any more, so that only what is asked for is measured.
void Settle(Ours& ours) {
  for (int quiet = 0; quiet < 5;) {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const double running =
        Statistic(ours, "running_compactions") + Statistic(ours, "running_flushes");
    quiet = running == 0 ? quiet + 1 : 0;
  }
}

Figures FillFigures(std::uint64_t before, std::chrono::steady_clock::time_point begun) {
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  return {{"seconds", took.count()},
          {"resident_before_bytes", static_cast<double>(before)},
          {"resident_peak_bytes", static_cast<double>(PeakResidentBytes())}};
}

/// Has everything hot in the cache before it is measured.
void WarmUp(Ours& ours, const HotRows& hot) {
  for (std::uint64_t i = 0; i < hot.hot; ++i) {
    const std::string folder = FolderName(hot.Folder(i));
    std::string out;
    Must(store::ListJson(ours.store, {},
                         {.table = &kNotesByFolder, .partition = folder, .limit = kFolderRows},
                         out));
    Must(out.size() > kFolderRows, "the folder has its rows");
  }
}

}  // namespace

Figures OursFill(const Task& task) {
  const std::uint64_t before = ResidentBytes();
  const auto begun = std::chrono::steady_clock::now();
  Ours ours(task);
  Fill(ours, task);
  const Figures figures = FillFigures(before, begun);
  Settle(ours);
  return figures;
}

Figures OursFillAndDie(const Task& task) {
  const std::uint64_t before = ResidentBytes();
  const auto begun = std::chrono::steady_clock::now();
  Ours ours(task);
  Fill(ours, task);
  const Figures figures = FillFigures(before, begun);
  std::printf("{\"seconds\":%.3f,\"resident_before_bytes\":%.0f,\"resident_peak_bytes\":%.0f}\n",
              figures.at("seconds"), figures.at("resident_before_bytes"),
              figures.at("resident_peak_bytes"));
  std::fflush(stdout);
  ::_exit(0);
}

Figures OursOpen(const Task& task) {
  const auto begun = std::chrono::steady_clock::now();
  Ours ours(task);
  const std::string folder = FolderName(0);
  const std::string id = NoteId(0);
  const auto row = Must(ours.store.Get({}, kNotesByFolder, {.partition = folder, .sort = id}));
  const std::chrono::duration<double> took = std::chrono::steady_clock::now() - begun;
  Must(row.has_value(), "the first row is there");
  return {{"seconds", took.count()}};
}

Figures OursSettle(const Task& task) {
  Ours ours(task);
  Settle(ours);
  return {{"levels", Statistic(ours, "levels")},
          {"level0_files", Statistic(ours, "level0_files")},
          {"table_bytes", Statistic(ours, "table_bytes")}};
}

Figures OursGet(const Task& task) {
  Ours ours(task);
  const HotRows hot = HotRows::Of(task.rows, task.hot_folders);
  WarmUp(ours, hot);
  const ReadKeys keys(hot, 0);
  return Measure(task, [&](std::uint64_t, std::uint64_t call) {
    const std::optional<store::Row> row = Must(ours.store.Get({}, kNotesByFolder, keys.At(call)));
    Must(row.has_value(), "a row is there");
  });
}

Figures OursScan(const Task& task) {
  Ours ours(task);
  const HotRows hot = HotRows::Of(task.rows, task.hot_folders);
  WarmUp(ours, hot);
  const ReadKeys keys(hot, kPageRows);
  std::string out;
  return Measure(task, [&](std::uint64_t, std::uint64_t call) {
    const store::Key& first = keys.At(call);
    out.clear();
    Must(store::ListJson(ours.store, {},
                         {.table = &kNotesByFolder,
                          .partition = first.partition,
                          .range = {.from = first.sort},
                          .limit = kPageRows},
                         out));
    Must(out.size() > kPageRows * 300, "a page is full");
  });
}

Figures OursCommit(const Task& task) {
  Ours ours(task);
  std::vector<Note> notes;
  for (std::uint64_t thread = 0; thread < task.writers; ++thread) {
    notes.push_back(MakeNote(thread, 0));
  }
  return Measure(task, [&](std::uint64_t thread, std::uint64_t call) {
    Renumber(notes[thread], (thread << 32U) + call);
    store::Batch batch;
    batch.Create(Notes(), notes[thread]);
    Must(ours.store.Commit({}, std::move(batch)));
  });
}

}  // namespace atrium::bench
