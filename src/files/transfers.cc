// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/transfers.h"

#include <algorithm>
#include <optional>
#include <source_location>
#include <utility>

#include "base/log.h"
#include "files/keys.h"
#include "files/library_access.h"
#include "files/library_reader.h"
#include "files/names.h"
#include "files/path_edits.h"
#include "store/batch.h"

namespace atrium::files {
namespace {

using store::OpContext;

constexpr std::size_t kThreads = 2;
/// A row must hold them, with their ids.
constexpr std::size_t kNameBytesInAll = std::size_t{20} << 10;

Result<void> CheckNames(const TransferOrder& order) {
  if (order.names.empty() || order.names.size() > kTransferredAtOnce) {
    return Fail(ErrorCode::kInvalidArgument, "names: from one to 1000 of them");
  }
  std::size_t bytes = 0;
  for (const std::string& name : order.names) {
    RETURN_IF_ERROR(CheckName(name));
    bytes += name.size();
  }
  if (bytes + (order.names.size() * Sha1Id::kTextLength) > 2 * kNameBytesInAll) {
    return Fail(ErrorCode::kLimitExceeded, "names: too many at once");
  }
  return {};
}

Result<void> CheckFolder(LibraryReader& reader, const Library& library, const TreePath& path) {
  ASSIGN_OR_RETURN(const auto entry, FindEntry(reader, library.root, path));
  if (!entry || !entry->IsDirectory()) {
    return Fail(ErrorCode::kNotFound, "path: there is no folder " + path.Render());
  }
  return {};
}

Result<void> CheckEntries(LibraryReader& reader, const Library& library,
                          const TransferOrder& order) {
  for (const std::string& name : order.names) {
    ASSIGN_OR_RETURN(const TreePath path, order.from_folder.Child(name));
    ASSIGN_OR_RETURN(const auto entry, FindEntry(reader, library.root, path));
    if (!entry) {
      return Fail(ErrorCode::kNotFound, "path: there is no " + path.Render());
    }
    if (order.from == order.to && order.to_folder.IsWithin(path)) {
      return Fail(ErrorCode::kInvalidArgument, "path: " + path.Render() + " cannot go into itself");
    }
  }
  return {};
}

Error ReasonOf(const Transfer& transfer) {
  return {.code = ErrorCode::kRefusedByState,
          .detail = "a transfer failed",
          .client_message = transfer.reason,
          .where = std::source_location::current()};
}

}  // namespace

TransferService::~TransferService() {
  std::vector<std::jthread> threads;
  {
    const std::scoped_lock lock(mutex_);
    threads.swap(threads_);
  }
  for (std::jthread& thread : threads) {
    thread.request_stop();
  }
}

Result<void> TransferService::CheckOrder(const OpContext& op, const Person& person,
                                         const TransferOrder& order) const {
  RETURN_IF_ERROR(CheckNames(order));
  const Permission needed =
      order.kind == TransferKind::kMove ? Permission::kWrite : Permission::kRead;
  ASSIGN_OR_RETURN(const Entrance from, Enter(parts_.ground.store, op, person, order.from, needed));
  ASSIGN_OR_RETURN(const Entrance to,
                   Enter(parts_.ground.store, op, person, order.to, Permission::kWrite));
  if (order.from != order.to && (from.library.record.lock || to.library.record.lock)) {
    return Fail(ErrorCode::kRefusedByState, "content of encrypted libraries stays in its library");
  }
  LibraryReader source(parts_.content, op, order.from);
  RETURN_IF_ERROR(CheckEntries(source, from.library.record, order));
  LibraryReader target(parts_.content, op, order.to);
  return CheckFolder(target, to.library.record, order.to_folder);
}

Result<TransferService::Row> TransferService::WriteDown(const OpContext& op, const Person& person,
                                                        const TransferOrder& order) {
  RETURN_IF_ERROR(CheckOrder(op, person, order));
  Transfer transfer{.id = TransferId(parts_.ground.ids.NewUuid()),
                    .org = person.org,
                    .user = person.id,
                    .parent = person.by,
                    .kind = order.kind,
                    .from = order.from,
                    .from_folder = order.from_folder.Render(),
                    .to = order.to,
                    .to_folder = order.to_folder.Render(),
                    .taken = order.taken,
                    .created_at = parts_.ground.clock.Now(),
                    .updated_at = parts_.ground.clock.Now()};
  for (const std::string& name : order.names) {
    transfer.items.push_back({.name = name});
  }
  store::Batch batch;
  batch.Create(Transfers(), transfer);
  ASSIGN_OR_RETURN(const store::Receipt receipt, parts_.ground.store.Commit(op, std::move(batch)));
  return Row{.record = std::move(transfer), .version = receipt.version};
}

Result<Transfer> TransferService::Submit(const OpContext& op, const Person& person,
                                         const TransferOrder& order) {
  {
    const std::scoped_lock lock(mutex_);
    const auto mine =
        std::ranges::count_if(live_, [&](const auto& one) { return one.second.user == person.id; });
    if (static_cast<std::size_t>(mine) >= kTransfersOfOne) {
      return Fail(ErrorCode::kLimitExceeded, "you have 20 copies and moves under way");
    }
  }
  ASSIGN_OR_RETURN(const Row row, WriteDown(op, person, order));
  Enqueue(row.record.id, person.id);
  return row.record;
}

Result<Transfer> TransferService::Do(const OpContext& op, const Person& person,
                                     const TransferOrder& order) {
  ASSIGN_OR_RETURN(const Row written, WriteDown(op, person, order));
  const TransferId& id = written.record.id;
  const std::shared_ptr<TransferSigns> signs = Claim(id, person.id);
  const Result<Row> row = work_.Finish(written, *signs, {});
  Release(id);
  RETURN_IF_ERROR(row);
  if (row->record.state != TransferState::kDone) {
    return std::unexpected(ReasonOf(row->record));
  }
  return row->record;
}

Result<TransferService::Row> TransferService::LoadMine(const OpContext& op, const Person& person,
                                                       const TransferId& id) const {
  ASSIGN_OR_RETURN(auto found, store::Find(parts_.ground.store, op, Transfers(), TransferKey(id)));
  if (!found || found->record.user != person.id) {
    return Fail(ErrorCode::kNotFound, "task_id: there is no such task");
  }
  return *std::move(found);
}

Result<Transfer> TransferService::Load(const OpContext& op, const Person& person,
                                       const TransferId& id) {
  ASSIGN_OR_RETURN(Row row, LoadMine(op, person, id));
  if (!IsOpen(row.record)) {
    return row.record;
  }
  Enqueue(id, person.id);
  const std::scoped_lock lock(mutex_);
  if (const auto live = live_.find(id); live != live_.end()) {
    row.record.total = std::max(row.record.total, live->second.signs->total.load());
    row.record.done = std::max(row.record.done, live->second.signs->done.load());
  }
  return row.record;
}

Result<void> TransferService::Cancel(const OpContext& op, const Person& person,
                                     const TransferId& id) {
  ASSIGN_OR_RETURN(const Row row, LoadMine(op, person, id));
  if (row.record.state == TransferState::kCancelled) {
    return {};
  }
  if (row.record.state != TransferState::kWaiting) {
    return Fail(ErrorCode::kRefusedByState, "it is too late to cancel it");
  }
  // Whoever takes it up, now or later, ends it in its next step.
  Enqueue(id, person.id);
  const std::scoped_lock lock(mutex_);
  if (const auto live = live_.find(id); live != live_.end()) {
    live->second.signs->cancelled = true;
  }
  return {};
}

std::shared_ptr<TransferSigns> TransferService::Claim(const TransferId& id, const UserId& user) {
  const std::scoped_lock lock(mutex_);
  const auto [place, is_new] = live_.try_emplace(id, Live{.user = user});
  return is_new ? place->second.signs : nullptr;
}

void TransferService::Release(const TransferId& id) {
  const std::scoped_lock lock(mutex_);
  live_.erase(id);
}

void TransferService::Enqueue(const TransferId& id, const UserId& user) {
  if (Claim(id, user) == nullptr) {
    return;
  }
  const std::scoped_lock lock(mutex_);
  queue_.push_back(id);
  while (threads_.size() < kThreads) {
    threads_.emplace_back([this](const std::stop_token& stop) { Work(stop); });
  }
  wake_.notify_one();
}

Result<TransferService::Row> TransferService::Run(const TransferId& id, TransferSigns& signs,
                                                  const std::stop_token& stop) {
  const OpContext op = OpContext::ForWork("files.transfer");
  ASSIGN_OR_RETURN(Row row, store::Load(parts_.ground.store, op, Transfers(), TransferKey(id)));
  return work_.Finish(std::move(row), signs, stop);
}

void TransferService::Work(const std::stop_token& stop) {
  std::unique_lock lock(mutex_);
  while (wake_.wait(lock, stop, [this] { return !queue_.empty(); })) {
    if (stop.stop_requested()) {
      return;
    }
    const TransferId id = queue_.front();
    queue_.pop_front();
    const std::shared_ptr<TransferSigns> signs = live_.at(id).signs;
    lock.unlock();
    if (const Result<Row> row = Run(id, *signs, stop); !row) {
      log::Warn("a transfer was interrupted",
                {{"transfer", id.Render()}, {"error", Describe(row.error())}});
    }
    Release(id);
    lock.lock();
  }
}

Result<void> TransferService::Resume(const std::stop_token& stop) {
  const OpContext op = OpContext::ForWork("files.transfer");
  std::optional<std::string> after;
  do {
    ASSIGN_OR_RETURN(
        const store::Page page,
        store::CollectPage(
            parts_.ground.store, op,
            {.table = &kOpenTransfers, .partition = kEverybody, .limit = 100, .after = after}));
    for (const store::KeyedRow& row : page.rows) {
      ASSIGN_OR_RETURN(const TransferId id, TransferId::Parse(row.key.sort));
      const std::shared_ptr<TransferSigns> signs = Claim(id, {});
      if (signs == nullptr) {
        continue;
      }
      const Result<Row> done = Run(id, *signs, stop);
      Release(id);
      RETURN_IF_ERROR(done);
    }
    after = page.resume;
  } while (after && !stop.stop_requested());
  return {};
}

}  // namespace atrium::files
