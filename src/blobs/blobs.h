// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <stop_token>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/instant.h"
#include "base/result.h"
#include "blobs/blob_id.h"
#include "store/op_context.h"

namespace atrium::blobs {

inline constexpr std::uint64_t kBlobBytesMax = std::uint64_t{256} << 20;
inline constexpr std::size_t kNoteBytesMax = 256;

/// A promise that a blob stays. As long as the pin or a copy of it lives nothing removes the blob,
/// so that whoever put it has the time to write the rows that refer to it. It also says that those
/// rows are still to come: the note of the blob is not forgotten before its pin is gone. Any
/// thread; may outlive the Blobs it came from, and then promises nothing.
class [[nodiscard]] Pin {
 public:
  Pin() = default;
  Pin(const BlobId& id, std::uint64_t bytes, std::shared_ptr<const void> hold)
      : id_(id), bytes_(bytes), hold_(std::move(hold)) {}

  const BlobId& Id() const { return id_; }
  std::uint64_t Bytes() const { return bytes_; }

 private:
  BlobId id_{};
  std::uint64_t bytes_ = 0;
  std::shared_ptr<const void> hold_{};
};

/// A blob, and what its owner noted about it.
struct NotedBlob {
  BlobId id{};
  std::uint64_t bytes = 0;
  std::string note{};
};

/// Writes the rows that notes tell of. Any thread.
class NotedRows {
 public:
  NotedRows() = default;
  NotedRows(const NotedRows&) = delete;
  NotedRows& operator=(const NotedRows&) = delete;
  virtual ~NotedRows() = default;

  /// Of blobs that nobody can remove meanwhile. Rows of immutable tables: durable with the next
  /// commit is enough. Puts no blobs itself, or it would wait for itself.
  virtual Result<void> Write(std::span<const NotedBlob> noted) = 0;
};

struct PutOptions {
  /// kInvalidArgument, and nothing is kept, when the bytes turn out to have another id.
  std::optional<BlobId> expected{};
  /// Whatever the caller needs to write its own rows about this blob again, at most kNoteBytesMax.
  /// It is made durable together with the blob. Whoever opens the blobs after a crash is handed the
  /// notes whose rows may be lost. A blob that was there before takes a new note, too.
  std::string_view note{};
  /// Writes the rows of the note, at once for all that are put at the same time: they are there
  /// when the blob is. Null: the caller writes them. Outlives the call.
  NotedRows* rows = nullptr;
};

/// Takes the bytes of one blob as they come. One thread at a time. Dropped without Finish() it
/// leaves nothing. Does not outlive the Blobs it came from.
class BlobWriter {
 public:
  BlobWriter() = default;
  BlobWriter(const BlobWriter&) = delete;
  BlobWriter& operator=(const BlobWriter&) = delete;
  virtual ~BlobWriter() = default;

  /// kLimitExceeded beyond kBlobBytesMax. After an error only the destructor may be called.
  virtual Result<void> Write(std::string_view bytes) = 0;
  /// As Blobs::Put(). Once, and last.
  virtual Result<Pin> Finish(const store::OpContext& op, const PutOptions& options) = 0;
};

/// Where the bytes of a blob can be read, by sendfile for example. The descriptor stays open as
/// long as somebody holds it, whatever becomes of the blob.
struct BlobSlice {
  std::shared_ptr<const int> descriptor{};
  std::uint64_t offset = 0;
  std::uint64_t bytes = 0;
};

struct ListedBlob {
  BlobId id{};
  std::uint64_t bytes = 0;
  /// When it was put, or moved by the last clean-up.
  Instant since{};
};

struct BlobPage {
  std::vector<ListedBlob> blobs{};
  /// What to go on with; nullopt at the end.
  std::optional<std::string> resume{};
};

struct ListRequest {
  std::size_t limit = 1000;
  /// BlobPage::resume of the page before.
  std::optional<std::string> after{};
};

/// Asked about each blob when nobody can pin it any more until it is removed: false keeps it. Puts,
/// pins and removes nothing itself, or it would wait for itself.
using RemovalCheck = std::function<Result<bool>(const BlobId&)>;

struct Removal {
  std::uint64_t removed = 0;
  std::uint64_t bytes = 0;
  /// Somebody still writes rows about them.
  std::vector<BlobId> pinned{};
  /// The check wanted them to stay.
  std::vector<BlobId> kept{};
};

struct BlobStatistics {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
  /// Blobs that are files of their own, which are among those above.
  std::uint64_t own_files = 0;
  std::uint64_t own_bytes = 0;
  std::uint64_t packs = 0;
  std::uint64_t pack_bytes = 0;
  /// Of the packs: what a clean-up could free.
  std::uint64_t dead_bytes = 0;
  /// Records that wait to be written just now.
  std::uint64_t waiting = 0;
  // Since the start: records written, and groups of them that shared a write and a sync.
  std::uint64_t appended = 0;
  std::uint64_t groups = 0;
};

/// What failed or was killed between two steps leaves files that no index knows.
struct StrayRequest {
  /// Those that were written since may be on their way.
  Instant before{};
  enum class Mode : std::uint8_t { kCount, kRemove };
  Mode mode = Mode::kRemove;
};

struct Strays {
  std::uint64_t count = 0;
  std::uint64_t bytes = 0;
};

enum class Defect : std::uint8_t {
  kDamaged,   ///< The bytes are there and are not those of the id, or the disk cannot read them.
  kMissing,   ///< The index knows the blob, and there are no bytes.
  kOrphaned,  ///< There are bytes of which the index knows nothing.
};
std::string_view Name(Defect defect);

struct Finding {
  Defect defect = Defect::kDamaged;
  BlobId id{};
  std::uint64_t bytes = 0;
  std::string explanation{};
  /// What was done, or kRepair would do; empty: a person must decide.
  std::string remedy{};
};

struct VerifyRequest {
  enum class Mode : std::uint8_t {
    kReport,
    /// Damaged bytes are set aside and the blob is gone from the index, as are those without bytes:
    /// the next Put of the same content heals it. Orphans join the index.
    kRepair,
  };
  Mode mode = Mode::kReport;
  /// VerifyPage::resume of the page before.
  std::optional<std::string> after{};
};

struct VerifyPage {
  std::uint64_t blobs = 0;
  std::uint64_t bytes = 0;
  std::vector<Finding> findings{};
  std::optional<std::string> resume{};
};

struct CompactReport {
  std::uint64_t packs = 0;
  std::uint64_t moved = 0;
  std::uint64_t moved_bytes = 0;
  std::uint64_t freed_bytes = 0;
  /// Blobs that were found damaged on the way, and set aside.
  std::vector<Finding> findings{};
};

/// Bytes under the name of their content. All members may be called from any thread, and may block.
///
/// Errors: kNotFound (no such blob), kCorrupt (its bytes are damaged), kUnavailable (the disk is
/// full or fails, nothing half is there, the same call may succeed later), kLimitExceeded (too
/// large), and what the store says.
class Blobs {
 public:
  Blobs() = default;
  Blobs(const Blobs&) = delete;
  Blobs& operator=(const Blobs&) = delete;
  virtual ~Blobs() = default;

  /// Durable when it returns, together with the note. Bytes that are there already are not written
  /// again. An error does not say that the blob is absent.
  virtual Result<Pin> Put(const store::OpContext& op, std::string_view bytes,
                          const PutOptions& options) = 0;
  /// The same for bytes that arrive in pieces.
  virtual Result<std::unique_ptr<BlobWriter>> Begin(const store::OpContext& op) = 0;

  /// Pins a blob that is there; nullopt when it is not.
  virtual Result<std::optional<Pin>> FindPinned(const store::OpContext& op, const BlobId& id) = 0;
  virtual Result<bool> Contains(const store::OpContext& op, const BlobId& id) = 0;

  /// Where to read it. Its place and length are checked, its bytes are not.
  virtual Result<BlobSlice> Open(const store::OpContext& op, const BlobId& id) = 0;
  /// All of it, and proved to be what the id says.
  virtual Result<std::string> Read(const store::OpContext& op, const BlobId& id) = 0;

  /// All blobs, in no particular order; those put meanwhile may be missing.
  virtual Result<BlobPage> List(const store::OpContext& op, const ListRequest& request) = 0;
  virtual BlobStatistics Statistics() = 0;

  /// Removes those that nobody has pinned and that the check, if there is one, lets go. One that is
  /// not there is passed over. A Put that comes meanwhile waits, and then writes the blob anew.
  virtual Result<Removal> Remove(const store::OpContext& op, std::span<const BlobId> ids,
                                 const RemovalCheck& check) = 0;
  /// One: kRefusedByState while it is pinned, kNotFound when it is not there.
  Result<void> Remove(const store::OpContext& op, const BlobId& id);

  /// Removes bytes that nobody can reach, because the index does not know them.
  virtual Result<Strays> SweepStrays(const store::OpContext& op, const StrayRequest& request) = 0;

  /// Reads a page of everything there is and compares it with what it should be.
  virtual Result<VerifyPage> Verify(const store::OpContext& op, const VerifyRequest& request) = 0;
  /// Gives the space of removed blobs back where it is worth it. Readers are not disturbed. One at
  /// a time: kRefusedByState while another runs. After a stop request it ends early and answers
  /// what was done.
  virtual Result<CompactReport> Compact(const store::OpContext& op,
                                        const std::stop_token& stop) = 0;
};

}  // namespace atrium::blobs
