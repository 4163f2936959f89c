// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <compare>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "base/result.h"
#include "files/heads.h"
#include "files/library_cipher.h"
#include "files/people.h"
#include "files/records.h"
#include "store/ground.h"

namespace atrium::files {

/// How long a library stays open since its key was last used.
inline constexpr std::chrono::hours kUnlockedFor{1};
/// Wrong passwords of one person for one library before they must wait, and for how long.
inline constexpr int kWrongPasswordsMax = 10;
inline constexpr std::chrono::minutes kWrongPasswordWait{15};
/// How many keys are held at once; the one that was used longest ago makes room.
inline constexpr std::size_t kUnlockedMax = 10'000;

/// The keys of encrypted libraries that people have opened for the web. They are in memory alone,
/// each for the one person who knows the password, until nobody has used them for a while or the
/// password changes; then they are wiped. Another server, and this one after a restart, asks for
/// the password again. Any thread.
class UnlockedLibraries {
 public:
  UnlockedLibraries(const store::Ground& ground, Heads& heads) : ground_(ground), heads_(heads) {}

  /// kPermissionDenied, "password: …", when it is another; kRateLimited after too many of those;
  /// kRefusedByState when the library is not encrypted; as UnlockLibrary otherwise.
  Result<void> Unlock(const Person& person, const Library& library, std::string_view password);

  /// Whether what a client has made of the password (`magic`) is right. Opens nothing, and counts
  /// as an attempt. Errors are those of Unlock.
  Result<void> CheckMagic(const Person& person, const Library& library, std::string_view magic);

  bool IsUnlocked(const Person& person, const Library& library);

  /// What encrypts and decrypts the content of the library; null when it is not encrypted.
  /// MustUnlock() is true of the error when the person has not opened it.
  Result<std::shared_ptr<const LibraryKey>> KeyFor(const Person& person, const Library& library);

  /// For the owner. The key stays the same, so that no content changes: it is wrapped anew. Clients
  /// and everybody who has opened the library are asked for the new password. Errors are those of
  /// Unlock; kInvalidArgument, "password: …", for an empty new one.
  Result<void> ChangePassword(const store::OpContext& op, const Person& person,
                              const LibraryId& library, const PasswordChange& change);

  /// Wipes what the person has opened, of one library.
  void Lock(const Person& person, const LibraryId& library);

 private:
  struct Whose {
    UserId user{};
    LibraryId library{};

    friend auto operator<=>(const Whose&, const Whose&) = default;
  };
  struct Held {
    std::shared_ptr<const LibraryKey> key{};
    /// Of the lock that it was taken from.
    std::string magic{};
    SteadyInstant used_at{};
  };
  struct Attempts {
    int wrong = 0;
    SteadyInstant since{};
  };

  Result<void> CountAttempt(const Whose& whose);
  void ForgiveAttempts(const Whose& whose);
  void MakeRoom();

  const store::Ground ground_;
  Heads& heads_;
  std::mutex mutex_;
  // Guarded by mutex_.
  std::map<Whose, Held> held_;
  std::map<Whose, Attempts> attempts_;
};

/// What clients read in the answer to who must give the password first; its status is 440.
inline constexpr std::string_view kPasswordNeeded = "Library password is needed.";
inline constexpr int kPasswordNeededStatus = 440;

/// Whether the error says so.
bool MustUnlock(const Error& error);

}  // namespace atrium::files
