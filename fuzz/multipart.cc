// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/multipart.h"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "http/grammar.h"
#include "http/multipart_form.h"
#include "http/multipart_head.h"

namespace atrium::fuzz {
namespace {

using http::PartHead;

constexpr http::MultipartLimits kLimits{.parts_max = 20, .head_bytes_max = 300};

/// Writes down what happened, and that it happened in order.
class Transcript final : public http::MultipartHandler {
 public:
  Result<void> OnPart(const PartHead& head) override {
    Check(!in_part, "a part begins after the one before has ended");
    Check(http::IsText(head.name) && http::IsText(head.filename.value_or("")), "names are text");
    in_part = true;
    ++part_count;
    text +=
        "[" + head.name + "|" + head.filename.value_or("(none)") + "|" + head.content_type + "]";
    return {};
  }
  Result<void> OnData(std::string_view bytes) override {
    Check(in_part && !bytes.empty(), "bytes belong to a part");
    byte_count += bytes.size();
    text += bytes;
    return {};
  }
  Result<void> OnPartEnd() override {
    Check(in_part, "a part ends once");
    in_part = false;
    text += "[end]";
    return {};
  }

  std::string text;
  std::size_t byte_count = 0;
  std::size_t part_count = 0;
  bool in_part = false;
};

/// How many bytes to feed next, given what is left.
using Portion = std::size_t (*)(std::string_view rest);

std::size_t Everything(std::string_view rest) {
  return rest.size();
}

std::size_t One(std::string_view /*rest*/) {
  return 1;
}

/// As many as the next byte says, so that the fuzzer can move the cuts.
std::size_t AsTheInputSays(std::string_view rest) {
  return static_cast<std::size_t>(static_cast<unsigned char>(rest.front()) % 32) + 1;
}

Result<void> FeedAll(http::MultipartParser& parser, std::string_view body, Portion portion) {
  while (!body.empty()) {
    const std::size_t size = std::min(portion(body), body.size());
    // A copy, so that a view kept past the call is seen.
    const std::string piece(body.substr(0, size));
    RETURN_IF_ERROR(parser.Feed(piece));
    body.remove_prefix(size);
  }
  return parser.Finish();
}

std::string Read(std::string_view body, Portion portion) {
  Transcript transcript;
  http::MultipartParser parser("b", kLimits, transcript);
  const Result<void> outcome = FeedAll(parser, body, portion);
  Check(transcript.byte_count <= body.size(), "no bytes are made up");
  Check(transcript.part_count <= kLimits.parts_max, "parts are limited");
  Check(!outcome || !transcript.in_part, "a form that ends well leaves no part open");
  return transcript.text +
         (outcome ? "ok" : std::string(Name(outcome.error().code)) + ": " + outcome.error().detail);
}

class NoFiles final : public http::FileSink {
 public:
  Result<void> OnFile(const PartHead& head) override {
    Check(head.filename.has_value(), "only files go to the sink");
    return {};
  }
  Result<void> OnFileData(std::string_view /*bytes*/) override { return {}; }
  Result<void> OnFileEnd() override { return {}; }
};

void CheckForm(std::string_view body) {
  constexpr std::size_t kFieldBytesMax = 64;
  NoFiles files;
  http::MultipartForm form(files, kFieldBytesMax);
  http::MultipartParser parser("b", kLimits, form);
  (void)FeedAll(parser, body, AsTheInputSays);
  std::size_t bytes = 0;
  for (const http::FormField& field : form.Fields().fields) {
    Check(http::IsText(field.name) && http::IsText(field.value), "fields are text");
    bytes += field.name.size() + field.value.size();
  }
  Check(bytes <= kFieldBytesMax, "fields are limited");
}

}  // namespace

/// The body of a form whose boundary is "b".
void TryInput(std::string_view input) {
  const std::string whole = Read(input, Everything);
  Check(Read(input, One) == whole, "byte by byte is the same as at once");
  Check(Read(input, AsTheInputSays) == whole, "in portions is the same as at once");
  CheckForm(input);
}

}  // namespace atrium::fuzz
