// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

#include "base/result.h"
#include "files/people.h"
#include "files/transfer_records.h"
#include "files/transfer_work.h"
#include "files/tree_path.h"
#include "store/op_context.h"

namespace atrium::files {

/// Which entries go where.
struct TransferOrder {
  TransferKind kind = TransferKind::kCopy;
  LibraryId from{};
  TreePath from_folder{};
  std::vector<std::string> names{};
  LibraryId to{};
  TreePath to_folder{};
  TakenPolicy taken = TakenPolicy::kRename;
};
inline constexpr std::size_t kTransferredAtOnce = 1000;
/// How many transfers of one person wait or run at once.
inline constexpr std::size_t kTransfersOfOne = 20;

/// Copies and moves between folders and libraries that may take long. Each is a row of the store,
/// and threads of this service do the work (transfer_work.h). What a server did not finish is taken
/// up again when somebody asks for it, or by Resume(). Any thread.
class TransferService {
 public:
  using Row = TransferWork::Row;

  /// All outlives it.
  explicit TransferService(const TransferWork::Parts& parts) : parts_(parts), work_(parts) {}
  TransferService(const TransferService&) = delete;
  TransferService& operator=(const TransferService&) = delete;
  /// Interrupts what is under way, between two files.
  ~TransferService();

  /// Writes it down, and begins with it soon. kNotFound when an entry, a folder or a library is not
  /// there, kPermissionDenied to who may not write there (for a move: here, too), kRefusedByState
  /// for encrypted libraries, kInvalidArgument for no names or for a folder that would go into
  /// itself, kLimitExceeded for too many at once.
  Result<Transfer> Submit(const store::OpContext& op, const Person& person,
                          const TransferOrder& order);

  /// The same, and does it before it returns. An error is also why it failed.
  Result<Transfer> Do(const store::OpContext& op, const Person& person, const TransferOrder& order);

  /// How far it is. kNotFound for one of somebody else.
  Result<Transfer> Load(const store::OpContext& op, const Person& person, const TransferId& id);

  /// Ends it where nothing was placed yet: kRefusedByState afterwards.
  Result<void> Cancel(const store::OpContext& op, const Person& person, const TransferId& id);

  /// Goes on with all that other runs of the server have left, on the calling thread.
  Result<void> Resume(const std::stop_token& stop);

 private:
  struct Live {
    UserId user{};
    std::shared_ptr<TransferSigns> signs = std::make_shared<TransferSigns>();
  };

  Result<void> CheckOrder(const store::OpContext& op, const Person& person,
                          const TransferOrder& order) const;
  Result<Row> WriteDown(const store::OpContext& op, const Person& person,
                        const TransferOrder& order);
  Result<Row> LoadMine(const store::OpContext& op, const Person& person,
                       const TransferId& id) const;
  /// Null when it is under way here already.
  std::shared_ptr<TransferSigns> Claim(const TransferId& id, const UserId& user);
  void Release(const TransferId& id);
  void Enqueue(const TransferId& id, const UserId& user);
  void Work(const std::stop_token& stop);
  Result<Row> Run(const TransferId& id, TransferSigns& signs, const std::stop_token& stop);

  const TransferWork::Parts parts_;
  TransferWork work_;
  std::mutex mutex_;
  std::condition_variable_any wake_;
  // Guarded by mutex_.
  std::map<TransferId, Live> live_;
  std::deque<TransferId> queue_;
  std::vector<std::jthread> threads_;
};

}  // namespace atrium::files
