// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <string_view>

namespace atrium::http {

/// Bytes that were read and not yet understood, in one piece. Grows by doubling to the size asked
/// for and no further.
class InputBuffer {
 public:
  std::string_view Unread() const { return {bytes_.get() + begin_, end_ - begin_}; }
  bool empty() const { return begin_ == end_; }
  std::size_t size() const { return end_ - begin_; }
  std::size_t Capacity() const { return capacity_; }

  void Consume(std::size_t count) {
    begin_ += count;
    if (begin_ == end_) {
      begin_ = end_ = 0;
    }
  }

  /// Room behind the unread bytes; empty when they fill `bytes_max` already.
  std::span<char> Room(std::size_t bytes_max) {
    MoveToFront();
    if (end_ == capacity_ && capacity_ < bytes_max) {
      Grow(std::max(kFirstBytes, std::min(bytes_max, capacity_ * 2)));
    }
    return {bytes_.get() + end_, capacity_ - end_};
  }

  void Commit(std::size_t count) { end_ += count; }

  void Append(std::string_view bytes) {
    if (bytes.empty()) {
      return;
    }
    MoveToFront();
    Reserve(end_ + bytes.size());
    std::memcpy(bytes_.get() + end_, bytes.data(), bytes.size());
    end_ += bytes.size();
  }

  /// Makes room for this many bytes in all at once, where Room would double its way there.
  void Reserve(std::size_t capacity) {
    if (capacity > capacity_) {
      Grow(capacity);
    }
  }

 private:
  static constexpr std::size_t kFirstBytes = 4096;

  void MoveToFront() {
    if (begin_ > 0) {
      std::memmove(bytes_.get(), bytes_.get() + begin_, size());
      end_ -= begin_;
      begin_ = 0;
    }
  }

  void Grow(std::size_t capacity) {
    auto larger = std::make_unique_for_overwrite<char[]>(capacity);
    if (end_ > 0) {
      std::memcpy(larger.get(), bytes_.get(), end_);
    }
    bytes_ = std::move(larger);
    capacity_ = capacity;
  }

  std::unique_ptr<char[]> bytes_;
  std::size_t capacity_ = 0;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
};

}  // namespace atrium::http
