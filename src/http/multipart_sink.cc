// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart_sink.h"

#include <string>
#include <utility>

#include "base/bytes.h"
#include "http/reply.h"

namespace atrium::http {

Result<std::unique_ptr<BodySink>> MultipartSink::Open(const Request& request,
                                                      std::unique_ptr<FormUpload> upload,
                                                      const FormUploadLimits& limits) {
  ASSIGN_OR_RETURN(const std::string boundary, BoundaryOf(request.headers.Get("Content-Type")));
  return std::unique_ptr<BodySink>(new MultipartSink(boundary, std::move(upload), limits));
}

MultipartSink::MultipartSink(std::string_view boundary, std::unique_ptr<FormUpload> upload,
                             const FormUploadLimits& limits)
    : upload_(std::move(upload)),
      form_(*this, limits.field_bytes_max),
      parser_(boundary, limits.parts, form_) {}

Result<void> MultipartSink::Write(std::span<const std::byte> piece) {
  return parser_.Feed(AsChars(piece));
}

Result<Reply> MultipartSink::Finish() {
  RETURN_IF_ERROR(parser_.Finish());
  return upload_->Finish(form_.Fields());
}

Result<void> MultipartSink::OnFile(const PartHead& head) {
  return upload_->BeginFile(head, form_.Fields());
}

Result<void> MultipartSink::OnFileData(std::string_view bytes) {
  return upload_->Write(AsBytes(bytes));
}

Result<void> MultipartSink::OnFileEnd() {
  return upload_->EndFile();
}

}  // namespace atrium::http
