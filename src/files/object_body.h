// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "base/memory_budget.h"
#include "base/result.h"
#include "files/content.h"
#include "files/packing.h"
#include "http/body.h"
#include "store/op_context.h"

namespace atrium::files {

/// The compressed bytes of an object, one row of the store at a time.
class ObjectPieces {
 public:
  /// Content outlives it.
  ObjectPieces(const Content& content, StoredObject object);

  /// nullopt at the end.
  Result<std::optional<std::string>> Next();

 private:
  const store::OpContext op_ = store::OpContext::ForWork("files.objects");
  const Content& content_;
  const StoredObject object_;
  std::uint64_t next_ = 0;
};

/// What is sent of objects that are asked for by their ids, when the last of them is long: that one
/// is read while it is sent, so that a client who does not read holds no more than some rows.
class PackBody final : public http::BodySource {
 public:
  /// `begin`: the objects before the last one, and the head of that (AppendPackedHead).
  PackBody(const Content& content, std::string begin, StoredObject last);

  Result<std::optional<std::string>> Next() override;
  std::optional<std::uint64_t> Length() const override { return length_; }

 private:
  const std::uint64_t length_;
  std::string begin_;
  ObjectPieces last_;
};

/// A long text with the memory that was taken for it, until it is sent.
class HeldText final : public http::BodySource {
 public:
  HeldText(std::string text, MemoryLease memory)
      : length_(text.size()), memory_(std::move(memory)), text_(std::move(text)) {}

  Result<std::optional<std::string>> Next() override;
  std::optional<std::uint64_t> Length() const override { return length_; }

 private:
  const std::uint64_t length_;
  const MemoryLease memory_;
  std::string text_;
};

/// The text of an object, inflated while it is sent.
class ObjectText final : public http::BodySource {
 public:
  /// As a string when it is short. Otherwise it is gone through once before the first byte is sent,
  /// so that the client is told how long it is. kCorrupt when it is no text. Content outlives it.
  static Result<http::Body> Open(const Content& content, const StoredObject& object);

  Result<std::optional<std::string>> Next() override;
  std::optional<std::uint64_t> Length() const override { return length_; }

 private:
  ObjectText(const Content& content, StoredObject object);

  const ObjectId id_;
  ObjectPieces pieces_;
  Inflation inflation_;
  std::uint64_t length_ = 0;
};

}  // namespace atrium::files
