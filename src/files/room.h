// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <vector>

#include "api/access.h"
#include "api/api.h"
#include "base/sealed_box.h"
#include "blobs/blobs.h"
#include "files/collector.h"
#include "files/content.h"
#include "files/file_changes.h"
#include "files/folder_reader.h"
#include "files/heads.h"
#include "files/history.h"
#include "files/libraries.h"
#include "files/loose_space.h"
#include "files/name_search.h"
#include "files/operation_links.h"
#include "files/partial_uploads.h"
#include "files/people.h"
#include "files/push_tokens.h"
#include "files/reverts.h"
#include "files/sync_tokens.h"
#include "files/transfers.h"
#include "files/trash.h"
#include "files/unlocked_libraries.h"
#include "files/verifier.h"
#include "jobs/job.h"
#include "store/ground.h"

namespace atrium::files {

/// What the room is given. All of it outlives the room.
struct Surroundings {
  store::Ground ground;
  const People& people;
  blobs::Blobs& blobs;
  /// For tokens that say themselves what they open.
  SecretKey key;
  /// Where files are kept that arrive in pieces; made when it is needed.
  std::filesystem::path uploads{};
  /// How many requests may wait for one library, of the worker threads there are.
  HeadQueueLimits head_queue{};
};

/// The room: libraries of files that people sync. Its parts, put together once.
class Room {
 public:
  explicit Room(const Surroundings& surroundings);
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  void AddRoutes(api::Api& api, const api::AccessRules& rules);
  std::vector<jobs::JobSpec> Jobs();

  const store::Ground ground;
  const People& people;
  blobs::Blobs& blobs;
  /// What is made with it begins with a word for its purpose, so that no token is taken for one of
  /// another kind.
  const SecretKey key;
  PartialUploads partial_uploads;
  LooseSpace loose;
  Content content;
  Heads heads;
  LibraryService libraries;
  SyncTokenService tokens;
  UnlockedLibraries unlocked;
  FileChanges changes;
  FolderReader folders;
  OperationLinks links;
  const HistoryService history;
  RevertService reverts;
  TrashService trash;
  const NameSearch search;
  TransferService transfers;
  const PushTokens push_tokens;
  Collector collector;
  const Verifier verifier;
  const SyncAccess sync_access;
};

}  // namespace atrium::files
