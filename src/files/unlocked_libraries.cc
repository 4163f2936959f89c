// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/unlocked_libraries.h"

#include <algorithm>
#include <source_location>
#include <utility>

#include "base/constant_time.h"
#include "files/library_access.h"

namespace atrium::files {
namespace {

/// How many people may be counted at once. Who comes when it is full waits like one who has guessed
/// too often: otherwise guessers could drive each other out.
constexpr std::size_t kAttemptsMax = 100'000;

Result<void> CheckEncrypted(const Library& library) {
  if (!library.lock) {
    return Fail(ErrorCode::kRefusedByState, "the library is not encrypted");
  }
  return {};
}

std::unexpected<Error> TooOften(SteadyInstant now, SteadyInstant since) {
  const auto wait = std::max(since + kWrongPasswordWait - now, SteadyInstant::duration::zero());
  return std::unexpected(Error{.code = ErrorCode::kRateLimited,
                               .detail = "too many wrong passwords of a library",
                               .client_message = "password: too many wrong ones, try again later",
                               .retry_after = std::chrono::ceil<std::chrono::seconds>(wait),
                               .where = std::source_location::current()});
}

}  // namespace

bool MustUnlock(const Error& error) {
  return error.client_message == kPasswordNeeded;
}

Result<void> UnlockedLibraries::CountAttempt(const Whose& whose) {
  const SteadyInstant now = ground_.clock.Steady();
  const std::scoped_lock lock(mutex_);
  std::erase_if(attempts_,
                [&](const auto& one) { return now - one.second.since >= kWrongPasswordWait; });
  if (attempts_.size() >= kAttemptsMax && !attempts_.contains(whose)) {
    return TooOften(now, now);
  }
  Attempts& attempts = attempts_[whose];
  if (attempts.wrong == 0) {
    attempts.since = now;
  }
  if (attempts.wrong >= kWrongPasswordsMax) {
    return TooOften(now, attempts.since);
  }
  // Counted before it is known to be wrong, so that many at once gain nothing.
  ++attempts.wrong;
  return {};
}

void UnlockedLibraries::ForgiveAttempts(const Whose& whose) {
  const std::scoped_lock lock(mutex_);
  attempts_.erase(whose);
}

void UnlockedLibraries::MakeRoom() {
  const SteadyInstant now = ground_.clock.Steady();
  std::erase_if(held_, [&](const auto& one) { return now - one.second.used_at >= kUnlockedFor; });
  if (held_.size() >= kUnlockedMax) {
    held_.erase(
        std::ranges::min_element(held_, {}, [](const auto& one) { return one.second.used_at; }));
  }
}

Result<void> UnlockedLibraries::Unlock(const Person& person, const Library& library,
                                       std::string_view password) {
  RETURN_IF_ERROR(CheckEncrypted(library));
  const Whose whose{.user = person.id, .library = library.id};
  RETURN_IF_ERROR(CountAttempt(whose));
  ASSIGN_OR_RETURN(LibraryKey key, UnlockLibrary(*library.lock, library.id, password));
  ForgiveAttempts(whose);
  const std::scoped_lock lock(mutex_);
  MakeRoom();
  held_[whose] = {.key = std::make_shared<const LibraryKey>(std::move(key)),
                  .magic = library.lock->magic,
                  .used_at = ground_.clock.Steady()};
  return {};
}

Result<void> UnlockedLibraries::CheckMagic(const Person& person, const Library& library,
                                           std::string_view magic) {
  RETURN_IF_ERROR(CheckEncrypted(library));
  const Whose whose{.user = person.id, .library = library.id};
  RETURN_IF_ERROR(CountAttempt(whose));
  if (!ConstantTimeEqual(magic, library.lock->magic)) {
    return Fail(ErrorCode::kPermissionDenied, "password: it does not open this library");
  }
  ForgiveAttempts(whose);
  return {};
}

Result<std::shared_ptr<const LibraryKey>> UnlockedLibraries::KeyFor(const Person& person,
                                                                    const Library& library) {
  if (!library.lock) {
    return nullptr;
  }
  const SteadyInstant now = ground_.clock.Steady();
  const std::scoped_lock lock(mutex_);
  const auto found = held_.find({.user = person.id, .library = library.id});
  if (found != held_.end()) {
    if (now - found->second.used_at < kUnlockedFor && found->second.magic == library.lock->magic) {
      found->second.used_at = now;
      return found->second.key;
    }
    held_.erase(found);
  }
  return Fail(ErrorCode::kRefusedByState, std::string(kPasswordNeeded));
}

bool UnlockedLibraries::IsUnlocked(const Person& person, const Library& library) {
  return KeyFor(person, library).has_value();
}

Result<void> UnlockedLibraries::ChangePassword(const store::OpContext& op, const Person& person,
                                               const LibraryId& library,
                                               const PasswordChange& change) {
  ASSIGN_OR_RETURN(const Entrance entrance, EnterAsOwner(ground_.store, op, person, library));
  RETURN_IF_ERROR(CheckEncrypted(entrance.library.record));
  const Whose whose{.user = person.id, .library = library};
  RETURN_IF_ERROR(CountAttempt(whose));
  const auto wrap_anew = [&](Library& now, store::Batch& /*batch*/) -> Result<void> {
    RETURN_IF_ERROR(CheckOwner(now, person));
    RETURN_IF_ERROR(CheckEncrypted(now));
    ASSIGN_OR_RETURN(now.lock, ChangeLibraryPassword(*now.lock, now.id, change));
    return {};
  };
  RETURN_IF_ERROR(heads_.Revise(op, {.user = person.id, .email = person.email}, library,
                                {.action = "library.change_password",
                                 .description = "Changed library password",
                                 .revise = wrap_anew}));
  ForgiveAttempts(whose);
  Lock(person, library);
  return {};
}

void UnlockedLibraries::Lock(const Person& person, const LibraryId& library) {
  const std::scoped_lock lock(mutex_);
  held_.erase({.user = person.id, .library = library});
}

}  // namespace atrium::files
