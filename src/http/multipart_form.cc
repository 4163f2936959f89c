// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart_form.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/result.h"
#include "http/grammar.h"
#include "http/multipart_head.h"
#include "http/urlencoded.h"

namespace atrium::http {

Result<void> MultipartForm::OnPart(const PartHead& head) {
  in_file_ = head.filename.has_value();
  if (in_file_) {
    return files_.OnFile(head);
  }
  RETURN_IF_ERROR(Charge(head.name.size()));
  field_ = FormField{.name = head.name, .value = {}};
  return {};
}

Result<void> MultipartForm::OnData(std::string_view bytes) {
  if (in_file_) {
    return files_.OnFileData(bytes);
  }
  RETURN_IF_ERROR(Charge(bytes.size()));
  field_.value += bytes;
  return {};
}

Result<void> MultipartForm::OnPartEnd() {
  if (in_file_) {
    return files_.OnFileEnd();
  }
  if (!IsText(field_.value)) {
    return Fail(ErrorCode::kInvalidArgument,
                "form field " + field_.name + " is not UTF-8 or holds a NUL");
  }
  form_.fields.push_back(std::move(field_));
  return {};
}

Result<void> MultipartForm::Charge(std::size_t bytes) {
  if (bytes > field_bytes_max_ - field_bytes_) {
    return Fail(ErrorCode::kLimitExceeded,
                "form fields of more than " + std::to_string(field_bytes_max_) + " bytes");
  }
  field_bytes_ += bytes;
  return {};
}

}  // namespace atrium::http
