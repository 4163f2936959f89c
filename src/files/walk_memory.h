// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>
#include <unordered_map>
#include <utility>

namespace atrium::files {

/// How many answers a walk over trees remembers at least, and twice as many at most: about 30 MB.
inline constexpr std::size_t kRememberedMax = 100'000;

/// What a walk has found out about objects, so that it need not look at them again: a folder can be
/// in many others, and a tree of a few kilobytes can unfold to more entries than anybody can count.
/// A cache of bounded size. It is emptied in halves: what was asked for since the last time
/// outlives the next. One thread.
template <typename Key, typename Value, typename Hash = std::hash<Key>>
class WalkMemory {
 public:
  explicit WalkMemory(std::size_t capacity = kRememberedMax) : capacity_(capacity) {}

  /// Null when it is not remembered. Lives until the next call.
  const Value* Find(const Key& key) {
    if (const auto found = recent_.find(key); found != recent_.end()) {
      return &found->second;
    }
    const auto found = older_.find(key);
    return found == older_.end() ? nullptr : Remember(key, found->second);
  }

  void Put(const Key& key, Value value) { Remember(key, std::move(value)); }

  std::size_t Size() const { return recent_.size() + older_.size(); }

 private:
  const Value* Remember(const Key& key, Value value) {
    if (recent_.size() >= capacity_) {
      older_ = std::exchange(recent_, {});
    }
    return &recent_.insert_or_assign(key, std::move(value)).first->second;
  }

  const std::size_t capacity_;
  std::unordered_map<Key, Value, Hash> recent_;
  std::unordered_map<Key, Value, Hash> older_;
};

}  // namespace atrium::files
