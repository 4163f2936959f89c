// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "api/access.h"
#include "api/api.h"
#include "base/sealed_box.h"
#include "blobs/blobs.h"
#include "files/content.h"
#include "files/heads.h"
#include "files/libraries.h"
#include "files/people.h"
#include "files/sync_tokens.h"
#include "store/ground.h"

namespace atrium::files {

/// What the room is given. All of it outlives the room.
struct Surroundings {
  store::Ground ground;
  const People& people;
  blobs::Blobs& blobs;
  /// For tokens that say themselves what they open.
  SecretKey key;
};

/// The room: libraries of files that people sync. Its parts, put together once.
class Room {
 public:
  explicit Room(const Surroundings& surroundings);
  Room(const Room&) = delete;
  Room& operator=(const Room&) = delete;

  void AddRoutes(api::Api& api, const api::AccessRules& rules);

  const store::Ground ground;
  const People& people;
  blobs::Blobs& blobs;
  /// What is made with it begins with a word for its purpose, so that no token is taken for one of
  /// another kind.
  const SecretKey key;
  Content content;
  Heads heads;
  LibraryService libraries;
  SyncTokenService tokens;
  const SyncAccess sync_access;
};

}  // namespace atrium::files
