// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "base/check.h"
#include "fuzz/fuzzing.h"
#include "http/headers.h"
#include "http/request_parser.h"

namespace atrium::fuzz {
namespace {

using http::RequestParser;

constexpr RequestParser::Limits kLimits{.head_bytes = 1024, .fields = 8};
constexpr std::size_t kBodyBytesMax = 256;

class Collector final : public http::BodyTaker {
 public:
  bool Take(std::string_view piece) override {
    if (piece.size() > kBodyBytesMax - body_.size()) {
      return false;
    }
    body_ += piece;
    return true;
  }

  const std::string& Body() const { return body_; }

 private:
  std::string body_;
};

/// What became of one request.
struct Outcome {
  bool done = false;
  std::size_t used = 0;
  std::string transcript = {};
};

std::string Transcribe(const RequestParser& parser, const std::string& body) {
  http::Headers headers;
  parser.ListFields(headers);
  std::string text = std::string(parser.MethodText()) + "|" + std::string(parser.Target()) + "|";
  std::size_t fields = 0;
  for (const http::HeaderField& field : headers) {
    text += std::string(field.name) + ": " + std::string(field.value) + "|";
    ++fields;
  }
  Check(fields <= kLimits.fields, "fields are limited");
  Check(parser.MethodText().size() + parser.Target().size() <= kLimits.head_bytes,
        "heads are limited");
  return text + body;
}

/// Reads the first request the way a connection does: what was not understood is shown again, with
/// `portion` more bytes behind it.
Outcome Read(std::string_view input, std::size_t portion) {
  RequestParser::Head head;
  RequestParser parser(head, kLimits);
  Collector collector;
  std::size_t used = 0;
  std::size_t arrived = 0;
  bool head_seen = false;
  while (!parser.Done() && parser.FirstFault() == RequestParser::Fault::kNone) {
    const std::size_t before = used;
    used += parser.Feed(input.substr(used, arrived - used));
    Check(used <= arrived, "only what is there is used");
    if (parser.HeadDone() && !head_seen) {
      head_seen = true;
      parser.TakeBodyWith(collector);
    } else if (used == before) {
      if (arrived == input.size()) {
        break;
      }
      arrived = std::min(arrived + portion, input.size());
    }
  }
  Outcome outcome{.done = parser.Done(), .used = used};
  if (outcome.done) {
    Check(parser.FirstFault() == RequestParser::Fault::kNone, "a whole request has no fault");
    outcome.transcript = Transcribe(parser, collector.Body());
  }
  return outcome;
}

}  // namespace

/// Where the bytes were cut must not decide what the request is: two readers who disagree on that
/// are how requests are smuggled.
void TryInput(std::string_view input) {
  const Outcome whole = Read(input, input.size() + 1);
  for (const std::size_t portion : {std::size_t{1}, std::size_t{7}}) {
    const Outcome cut = Read(input, portion);
    Check(cut.done == whole.done, "a request is whole however it arrives");
    if (whole.done) {
      Check(cut.used == whole.used, "a request ends at the same byte however it arrives");
      Check(cut.transcript == whole.transcript, "a request is the same however it arrives");
    }
  }
}

}  // namespace atrium::fuzz
