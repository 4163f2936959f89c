// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <string_view>

#include "base/result.h"
#include "http/body.h"
#include "http/multipart.h"
#include "http/multipart_form.h"
#include "http/multipart_head.h"
#include "http/request.h"
#include "http/urlencoded.h"

namespace atrium::http {

/// What a route does with the files of a form, however long they are. Called as a BodySink is: in
/// order, on worker threads, never twice at once. An error ends the upload with the reply that fits
/// it. When the client breaks off, or anything fails, it is destroyed without Finish and must leave
/// nothing behind.
class FormUpload {
 public:
  virtual ~FormUpload() = default;

  /// A file begins. `head.filename` is there, and empty when a person left a file input empty.
  /// `before` are the fields that stood before it in the form; others may follow.
  virtual Result<void> BeginFile(const PartHead& head, const Form& before) = 0;
  virtual Result<void> Write(std::span<const std::byte> piece) = 0;
  virtual Result<void> EndFile() = 0;
  /// The form has come to its end; `fields` are all that are no files.
  virtual Result<Reply> Finish(const Form& fields) = 0;
};

struct FormUploadLimits {
  MultipartLimits parts{};
  /// Of the names and values of all fields together.
  std::size_t field_bytes_max = MultipartForm::kFieldBytesMax;
};

/// Reads a multipart/form-data body of any length for an upload route, in constant memory: files
/// are handed on as they arrive, fields are kept and bounded.
///
///   router.AddUpload(route, [](const Request& request) {
///     return MultipartSink::Open(request, std::make_unique<MyUpload>());
///   });
class MultipartSink final : public BodySink, private FileSink {
 public:
  /// kInvalidArgument when the request brings no such form.
  static Result<std::unique_ptr<BodySink>> Open(const Request& request,
                                                std::unique_ptr<FormUpload> upload,
                                                const FormUploadLimits& limits = {});

  Result<void> Write(std::span<const std::byte> piece) override;
  Result<Reply> Finish() override;

 private:
  MultipartSink(std::string_view boundary, std::unique_ptr<FormUpload> upload,
                const FormUploadLimits& limits);

  Result<void> OnFile(const PartHead& head) override;
  Result<void> OnFileData(std::string_view bytes) override;
  Result<void> OnFileEnd() override;

  const std::unique_ptr<FormUpload> upload_;
  MultipartForm form_;
  MultipartParser parser_;
};

}  // namespace atrium::http
