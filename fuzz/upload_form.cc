// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "fuzz/fuzzing.h"
#include "http/multipart_sink.h"
#include "http/reply.h"
#include "http/request.h"

namespace atrium::fuzz {
namespace {

constexpr http::FormUploadLimits kLimits{.parts = {.parts_max = 20, .head_bytes_max = 300},
                                         .field_bytes_max = 64};

std::string Render(const http::Form& form) {
  std::string text;
  std::size_t bytes = 0;
  for (const http::FormField& field : form.fields) {
    text += field.name + "=" + field.value + ";";
    bytes += field.name.size() + field.value.size();
  }
  Check(bytes <= kLimits.field_bytes_max, "fields are limited");
  return text;
}

/// Writes down what happened, and that it happened in order.
class Transcript final : public http::FormUpload {
 public:
  explicit Transcript(std::string& text) : text_(text) {}

  Result<void> BeginFile(const http::PartHead& head, const http::Form& before) override {
    Check(!in_file_ && head.filename.has_value(), "a file begins after the one before has ended");
    in_file_ = true;
    before_ = Render(before);
    text_ += "[" + before_ + "|" + head.name + "|" + *head.filename + "]";
    return {};
  }
  Result<void> Write(std::span<const std::byte> piece) override {
    Check(in_file_ && !piece.empty(), "bytes belong to a file");
    text_ += AsChars(piece);
    return {};
  }
  Result<void> EndFile() override {
    Check(in_file_, "a file ends once");
    in_file_ = false;
    text_ += "[end]";
    return {};
  }
  Result<http::Reply> Finish(const http::Form& fields) override {
    const std::string all = Render(fields);
    Check(!in_file_ && all.starts_with(before_), "fields stay");
    text_ += all;
    return http::EmptyReply();
  }

 private:
  std::string& text_;
  std::string before_;
  bool in_file_ = false;
};

Result<void> Upload(http::BodySink& sink, std::string_view body, std::size_t portion) {
  while (!body.empty()) {
    // A copy, so that a view kept past the call is seen.
    const std::string piece(body.substr(0, portion));
    RETURN_IF_ERROR(sink.Write(AsBytes(piece)));
    body.remove_prefix(piece.size());
  }
  RETURN_IF_ERROR(sink.Finish());
  return {};
}

std::string Read(std::string_view body, std::size_t portion) {
  http::Request request;
  request.headers.Add("Content-Type", "multipart/form-data; boundary=b");
  std::string text;
  const auto sink = http::MultipartSink::Open(request, std::make_unique<Transcript>(text), kLimits);
  Check(sink.has_value(), "the boundary is one");
  const Result<void> outcome = Upload(**sink, body, portion);
  return text + (outcome ? "ok" : std::string(Name(outcome.error().code)));
}

}  // namespace

/// The body of a form whose boundary is "b".
void TryInput(std::string_view input) {
  const std::string whole = Read(input, input.size() + 1);
  for (const std::size_t portion : {std::size_t{1}, std::size_t{7}}) {
    Check(Read(input, portion) == whole, "the same however it arrives");
  }
}

}  // namespace atrium::fuzz
