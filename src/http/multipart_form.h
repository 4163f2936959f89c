// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/multipart.h"
#include "http/multipart_head.h"
#include "http/urlencoded.h"

namespace atrium::http {

/// Takes the files of a form as they arrive. An error it returns ends the reading of the form.
class FileSink {
 public:
  virtual ~FileSink() = default;

  /// `head.filename` is there, and empty when a person left a file input empty.
  virtual Result<void> OnFile(const PartHead& head) = 0;
  virtual Result<void> OnFileData(std::string_view bytes) = 0;
  virtual Result<void> OnFileEnd() = 0;
};

/// Sorts the parts of a form: those with a file name go to the sink byte by byte, the others are
/// collected as text.
///
///   MultipartForm form(sink);
///   MultipartParser parser(boundary, {}, form);
///   ... parser.Feed(bytes) ... parser.Finish() ...
///   form.Fields().Find("folder")
class MultipartForm final : public MultipartHandler {
 public:
  static constexpr std::size_t kFieldBytesMax = std::size_t{1} << 20U;

  /// `field_bytes_max` bounds the names and values of all collected fields together; past it,
  /// kLimitExceeded. The sink must outlive the form.
  explicit MultipartForm(FileSink& files, std::size_t field_bytes_max = kFieldBytesMax)
      : files_(files), field_bytes_max_(field_bytes_max) {}

  /// The plain fields whose parts have ended, in the order they came.
  const Form& Fields() const { return form_; }

  Result<void> OnPart(const PartHead& head) override;
  Result<void> OnData(std::string_view bytes) override;
  /// kInvalidArgument for a plain field that is not UTF-8.
  Result<void> OnPartEnd() override;

 private:
  Result<void> Charge(std::size_t bytes);

  FileSink& files_;
  const std::size_t field_bytes_max_;

  Form form_;
  FormField field_;  // The field being read, when in_file_ is false.
  std::size_t field_bytes_ = 0;
  bool in_file_ = false;
};

}  // namespace atrium::http
