// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <utility>

#include "base/bytes.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/random.h"
#include "http/multipart_sink.h"
#include "http/range.h"
#include "lab_routes.h"

namespace atrium::lab {
namespace {

using http::Anyone;
using http::BodySink;
using http::Method;
using http::Reply;
using http::Request;
using http::Work;

constexpr std::size_t kUploadBytesMax = std::size_t{4} << 30;

/// Counts and hashes, keeps nothing; can be told to refuse at some point.
class HashingSink final : public BodySink {
 public:
  explicit HashingSink(std::uint64_t refuses_at) : refuses_at_(refuses_at) {}

  Result<void> Write(std::span<const std::byte> piece) override {
    bytes_ += piece.size();
    if (bytes_ > refuses_at_) {
      return Fail(ErrorCode::kLimitExceeded, "the sink is full");
    }
    hash_.Update(piece);
    return {};
  }

  Result<Reply> Finish() override {
    return http::TextReply(std::to_string(bytes_) + " " + EncodeHex(hash_.Finish()) + "\n");
  }

 private:
  const std::uint64_t refuses_at_;
  std::uint64_t bytes_ = 0;
  Sha256 hash_;
};

/// Writes to a file that is gone again when the upload breaks off.
class FileWritingSink final : public BodySink {
 public:
  static Result<std::unique_ptr<BodySink>> Open() {
    const char* folder = std::getenv("LAB_FOLDER");
    std::string path = std::string(folder != nullptr ? folder : "/tmp") + "/" + RandomToken(12);
    const int descriptor = ::open(path.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (descriptor < 0) {
      return FailPrivately(ErrorCode::kUnavailable, path + ": " + std::strerror(errno));
    }
    return std::unique_ptr<BodySink>(new FileWritingSink(std::move(path), descriptor));
  }

  ~FileWritingSink() override {
    ::close(descriptor_);
    if (!finished_) {
      ::unlink(path_.c_str());
    }
  }

  Result<void> Write(std::span<const std::byte> piece) override {
    while (!piece.empty()) {
      const ssize_t written = ::write(descriptor_, piece.data(), piece.size());
      if (written < 0) {
        return FailPrivately(ErrorCode::kUnavailable, std::strerror(errno));
      }
      piece = piece.subspan(static_cast<std::size_t>(written));
    }
    return {};
  }

  Result<Reply> Finish() override {
    finished_ = true;
    return Reply{.status = 201, .content_type = {}};
  }

 private:
  FileWritingSink(std::string path, int descriptor)
      : path_(std::move(path)), descriptor_(descriptor) {}

  const std::string path_;
  const int descriptor_;
  bool finished_ = false;
};

/// Says what was in a form: its fields, and of each file the name, length and hash, and which
/// fields came before it.
class FormReport final : public http::FormUpload {
 public:
  Result<void> BeginFile(const http::PartHead& head, const http::Form& before) override {
    report_.append("file ").append(head.filename.value_or("")).append(" ");
    before_ = before.fields.size();
    bytes_ = 0;
    hash_ = Sha256();
    return {};
  }

  Result<void> Write(std::span<const std::byte> piece) override {
    bytes_ += piece.size();
    hash_.Update(piece);
    return {};
  }

  Result<void> EndFile() override {
    report_.append(std::to_string(bytes_))
        .append(" ")
        .append(EncodeHex(hash_.Finish()))
        .append(before_ == 0 ? "\n" : " after " + std::to_string(before_) + "\n");
    return {};
  }

  Result<Reply> Finish(const http::Form& fields) override {
    for (const http::FormField& field : fields.fields) {
      report_.append("field ").append(field.name).append("=").append(field.value).append("\n");
    }
    return http::TextReply(report_);
  }

 private:
  std::string report_;
  std::size_t before_ = 0;
  std::uint64_t bytes_ = 0;
  Sha256 hash_;
};

/// Says which part of a whole it was given, and its hash.
class PartReport final : public BodySink {
 public:
  explicit PartReport(const http::ContentRange& range) : range_(range) {}

  Result<void> Write(std::span<const std::byte> piece) override {
    hash_.Update(piece);
    return {};
  }

  Result<Reply> Finish() override {
    return http::TextReply(std::to_string(range_.part.first) + " " +
                           std::to_string(range_.part.last) + " " +
                           (range_.size ? std::to_string(*range_.size) : "?") + " " +
                           EncodeHex(hash_.Finish()) + "\n");
  }

 private:
  const http::ContentRange range_;
  Sha256 hash_;
};

}  // namespace

void AddUploads(http::Router& router) {
  router.AddUpload({.method = Method::kPut,
                    .path = "/lab/upload",
                    .access = Anyone(),
                    .work = Work::kBlocking,
                    .summary = "Length and hash of a streamed body",
                    .body_bytes_max = kUploadBytesMax},
                   [](const Request&) -> Result<std::unique_ptr<BodySink>> {
                     return std::make_unique<HashingSink>(UINT64_MAX);
                   });
  router.AddUpload({.method = Method::kPut,
                    .path = "/lab/upload/{bytes}",
                    .access = Anyone(),
                    .work = Work::kBlocking,
                    .summary = "A sink that takes so much and no more",
                    .body_bytes_max = kUploadBytesMax},
                   [](const Request&, std::uint64_t bytes) -> Result<std::unique_ptr<BodySink>> {
                     return std::make_unique<HashingSink>(bytes);
                   });
  router.AddUpload({.method = Method::kPut,
                    .path = "/lab/store",
                    .access = Anyone(),
                    .work = Work::kBlocking,
                    .summary = "Writes a streamed body to a file",
                    .body_bytes_max = kUploadBytesMax},
                   [](const Request&) { return FileWritingSink::Open(); });
  router.AddUpload({.method = Method::kPost,
                    .path = "/lab/multipart",
                    .access = Anyone(),
                    .work = Work::kBlocking,
                    .summary = "What is in a streamed form",
                    .body_bytes_max = kUploadBytesMax},
                   [](const Request& request) {
                     return http::MultipartSink::Open(request, std::make_unique<FormReport>());
                   });
  router.AddUpload({.method = Method::kPut,
                    .path = "/lab/part",
                    .access = Anyone(),
                    .work = Work::kBlocking,
                    .summary = "A part of a larger whole",
                    .body_bytes_max = kUploadBytesMax},
                   [](const Request& request) -> Result<std::unique_ptr<BodySink>> {
                     ASSIGN_OR_RETURN(
                         const http::ContentRange range,
                         http::ParseContentRange(request.headers.Get("Content-Range")));
                     return std::make_unique<PartReport>(range);
                   });
}

}  // namespace atrium::lab
