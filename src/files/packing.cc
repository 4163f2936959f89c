// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/packing.h"

#include <zlib.h>

#include <algorithm>
#include <utility>

#include "base/check.h"

namespace atrium::files {

class InflateStream {
 public:
  InflateStream() { Check(inflateInit(&stream_) == Z_OK, "zlib has memory to inflate"); }
  InflateStream(const InflateStream&) = delete;
  InflateStream& operator=(const InflateStream&) = delete;
  ~InflateStream() { inflateEnd(&stream_); }

  z_stream* operator->() { return &stream_; }
  int Step() { return inflate(&stream_, Z_NO_FLUSH); }

 private:
  z_stream stream_{};
};

namespace {

constexpr std::size_t kLengthBytes = 4;
constexpr std::size_t kHeadBytes = Sha1Id::kTextLength + kLengthBytes;

std::uint32_t ReadLength(std::string_view four) {
  std::uint32_t length = 0;
  for (const char c : four) {
    length = length << 8 | static_cast<unsigned char>(c);
  }
  return length;
}

/// zlib reads through pointers to non-const.
Bytef* In(std::string_view bytes) {
  return reinterpret_cast<Bytef*>(const_cast<char*>(bytes.data()));
}

Bytef* Out(std::string& bytes, std::size_t at) {
  return reinterpret_cast<Bytef*>(bytes.data() + at);
}

std::unexpected<Error> NotCompressed() {
  return Fail(ErrorCode::kInvalidArgument, "not a compressed text");
}

/// How large to make the output when it is full; one byte above the limit shows that there is more.
std::size_t NextSize(std::size_t size, std::size_t bytes_max) {
  return std::min(size * 2, bytes_max + 1);
}

}  // namespace

void AppendPackedHead(std::string& out, const ObjectId& id, std::size_t bytes) {
  Check(bytes <= UINT32_MAX, "the length of an object has 32 bits");
  const auto length = static_cast<std::uint32_t>(bytes);
  id.value().AppendTo(out);
  for (const int shift : {24, 16, 8, 0}) {
    out += static_cast<char>(length >> shift);
  }
}

void AppendPacked(std::string& out, const PackedObject& object) {
  AppendPackedHead(out, object.id, object.deflated.size());
  out += object.deflated;
}

std::unexpected<Error> PackReader::Fault(ErrorCode code, std::string_view problem) const {
  return Fail(
      code, "the object at byte " + std::to_string(offset_ + taken_) + ": " + std::string(problem));
}

void PackReader::Feed(std::string_view piece) {
  buffer_.erase(0, taken_);
  offset_ += taken_;
  taken_ = 0;
  buffer_ += piece;
}

Result<std::optional<PackedObject>> PackReader::Next() {
  const std::string_view rest = Rest();
  if (rest.size() < kHeadBytes) {
    return std::nullopt;
  }
  const Result<ObjectId> id = ObjectId::Parse(rest.substr(0, Sha1Id::kTextLength));
  if (!id || IsZero(*id)) {
    return Fault(ErrorCode::kInvalidArgument, "does not begin with an id");
  }
  const std::size_t length = ReadLength(rest.substr(Sha1Id::kTextLength, kLengthBytes));
  if (length == 0) {
    return Fault(ErrorCode::kInvalidArgument, "has no content");
  }
  if (length > kDeflatedBytesMax) {
    return Fault(ErrorCode::kLimitExceeded, "too long");
  }
  if (rest.size() - kHeadBytes < length) {
    return std::nullopt;
  }
  taken_ += kHeadBytes + length;
  return PackedObject{.id = *id, .deflated = rest.substr(kHeadBytes, length)};
}

Result<void> PackReader::Finish() const {
  if (!Rest().empty()) {
    return Fault(ErrorCode::kInvalidArgument, "cut off");
  }
  return {};
}

std::string Deflate(std::string_view text) {
  uLongf size = compressBound(text.size());
  std::string deflated(size, '\0');
  Check(compress(Out(deflated, 0), &size, In(text), text.size()) == Z_OK,
        "zlib has memory to deflate");
  deflated.resize(size);
  return deflated;
}

Result<std::string> Inflate(std::string_view deflated, std::size_t bytes_max) {
  constexpr std::size_t kUsualRatio = 6;
  if (deflated.size() > kDeflatedBytesMax) {
    return Fail(ErrorCode::kLimitExceeded, "the compressed text is too long");
  }
  InflateStream stream;
  stream->next_in = In(deflated);
  stream->avail_in = static_cast<uInt>(deflated.size());
  std::string text(std::min(64 + deflated.size() * kUsualRatio, bytes_max + 1), '\0');
  std::size_t size = 0;
  int state = Z_OK;
  while (state == Z_OK) {
    if (size == text.size()) {
      text.resize(NextSize(size, bytes_max));
    }
    stream->next_out = Out(text, size);
    stream->avail_out = static_cast<uInt>(text.size() - size);
    state = stream.Step();
    size = text.size() - stream->avail_out;
    if (size > bytes_max) {
      return Fail(ErrorCode::kLimitExceeded,
                  "the text has more than " + std::to_string(bytes_max) + " bytes");
    }
  }
  if (state != Z_STREAM_END || stream->avail_in != 0) {
    return NotCompressed();
  }
  text.resize(size);
  return text;
}

Inflation::Inflation() : stream_(std::make_unique<InflateStream>()) {}
Inflation::~Inflation() = default;

void Inflation::Feed(std::string deflated) {
  deflated_ = std::move(deflated);
  (*stream_)->next_in = In(deflated_);
  (*stream_)->avail_in = static_cast<uInt>(deflated_.size());
}

Result<std::string> Inflation::Take(std::size_t bytes_max) {
  std::string text(bytes_max, '\0');
  InflateStream& stream = *stream_;
  stream->next_out = Out(text, 0);
  stream->avail_out = static_cast<uInt>(text.size());
  const int state = stream.Step();
  is_over_ = state == Z_STREAM_END;
  // Z_BUF_ERROR: there is nothing to read.
  if (state != Z_OK && state != Z_STREAM_END && state != Z_BUF_ERROR) {
    return NotCompressed();
  }
  text.resize(text.size() - stream->avail_out);
  return text;
}

Result<VerifiedObject> VerifyPacked(const PackedObject& packed, std::size_t bytes_max) {
  const auto refuse = [&](Error error) {
    const std::string id = "object " + packed.id.Render() + ": ";
    error.client_message.insert(0, id);
    error.detail.insert(0, id);
    return std::unexpected(std::move(error));
  };
  Result<std::string> text = Inflate(packed.deflated, bytes_max);
  if (!text) {
    return refuse(std::move(text).error());
  }
  if (ObjectIdOf(*text) != packed.id) {
    return refuse(Fail(ErrorCode::kInvalidArgument, "the text has another id").error());
  }
  Result<FsObject> object = ParseObject(*text);
  if (!object) {
    return refuse(std::move(object).error());
  }
  return VerifiedObject{.text = *std::move(text), .object = *std::move(object)};
}

}  // namespace atrium::files
