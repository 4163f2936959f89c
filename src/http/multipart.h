// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"
#include "http/multipart_head.h"

namespace atrium::http {

/// Is told of the parts of a form as they arrive. An error it returns stops the parser, which hands
/// it on unchanged.
class MultipartHandler {
 public:
  virtual ~MultipartHandler() = default;

  virtual Result<void> OnPart(const PartHead& head) = 0;
  /// Some bytes of the part, never none; how a part is cut into calls depends on the network alone.
  /// The view is good until the call returns.
  virtual Result<void> OnData(std::string_view bytes) = 0;
  virtual Result<void> OnPartEnd() = 0;
};

struct MultipartLimits {
  std::size_t parts_max = 1000;
  std::size_t head_bytes_max = std::size_t{16} << 10U;  ///< Of the headers of each part.
};

/// Reads a multipart/form-data body (RFC 7578, RFC 2046 §5.1) as it arrives, in pieces of any size.
///
/// Uses constant memory: part bytes are handed on without being copied, only the head of a part is
/// kept while it is read. What stands before the first boundary and after the last is passed over.
/// The length of the body is for the caller to limit.
///
///   preamble --b--> tail --CRLF--> head --empty line--> body --b--> tail ...
///                    \--"--"--> epilogue
///
/// where b is CRLF, two hyphens and the boundary; the preamble is taken to begin behind a CRLF.
class MultipartParser {
 public:
  /// `boundary` is one as BoundaryOf() gives it. The handler must outlive the parser.
  MultipartParser(std::string_view boundary, const MultipartLimits& limits,
                  MultipartHandler& handler);

  /// kInvalidArgument, with the number of the part, when the body is malformed; kLimitExceeded past
  /// a limit. After an error the parser takes no more.
  Result<void> Feed(std::string_view bytes);

  /// To be called at the end of the body: kInvalidArgument when the last boundary has not come.
  Result<void> Finish();

 private:
  enum class State : std::uint8_t { kPreamble, kTail, kHead, kBody, kEpilogue, kClosed };

  Result<void> Consume(std::string_view bytes);
  Result<void> ScanForDelimiter(std::string_view& bytes);
  Result<void> ResumeMatch(std::string_view& bytes);
  Result<void> EmitData(std::string_view bytes);
  Result<void> DelimiterFound();
  Result<void> ReadTail(std::string_view& bytes);
  Result<void> ReadHead(std::string_view& bytes);
  Result<void> BeginPart();

  // Set once.
  const std::string delimiter_;
  const MultipartLimits limits_;
  MultipartHandler& handler_;

  State state_ = State::kPreamble;
  // How much of the delimiter the bytes before this point spell. They were held back, since they
  // may be data after all, and need no buffer: they are equal to the front of delimiter_.
  std::size_t matched_;
  std::string line_;  // The tail of a boundary line, or the head so far. Bounded.
  std::size_t parts_ = 0;
};

}  // namespace atrium::http
