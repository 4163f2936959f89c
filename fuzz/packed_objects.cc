// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"
#include "files/objects.h"
#include "files/packing.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

using files::PackedObject;
using files::PackReader;

void CheckRefusal(const Error& error) {
  Check(error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kLimitExceeded,
        "bad bytes are an invalid argument or too long");
  Check(IsValidUtf8(error.client_message), "the mistake can be sent to a client");
}

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
  return static_cast<std::size_t>(static_cast<unsigned char>(rest.front())) + 1;
}

/// Packs again what was read.
Result<void> Copy(PackReader& reader, std::string& copy) {
  while (true) {
    ASSIGN_OR_RETURN(const std::optional<PackedObject> object, reader.Next());
    if (!object) {
      return {};
    }
    AppendPacked(copy, *object);
  }
}

Result<std::string> Read(std::string_view body, Portion portion) {
  PackReader reader;
  std::string copy;
  while (!body.empty()) {
    const std::size_t size = std::min(portion(body), body.size());
    reader.Feed(body.substr(0, size));
    RETURN_IF_ERROR(Copy(reader, copy));
    body.remove_prefix(size);
  }
  RETURN_IF_ERROR(reader.Finish());
  return copy;
}

void CheckFraming(std::string_view body) {
  const Result<std::string> whole = Read(body, Everything);
  if (whole) {
    Check(*whole == body, "what is read is packed the same");
  } else {
    CheckRefusal(whole.error());
  }
  for (const Portion portion : {One, AsTheInputSays}) {
    const Result<std::string> read = Read(body, portion);
    Check(read.has_value() == whole.has_value(), "where the body is cut makes no difference");
    Check(read || read.error().detail == whole.error().detail, "nor to what is wrong with it");
  }
}

void CheckObjects(std::string_view body) {
  PackReader reader;
  reader.Feed(body);
  for (auto object = reader.Next(); object && *object; object = reader.Next()) {
    const Result<files::VerifiedObject> verified = VerifyPacked(**object);
    if (!verified) {
      CheckRefusal(verified.error());
    }
  }
}

void CheckInflate(std::string_view input) {
  constexpr std::size_t kLimit = 1000;
  const Result<std::string> text = files::Inflate(input, kLimit);
  if (!text) {
    return CheckRefusal(text.error());
  }
  Check(text->size() <= kLimit, "no more than the limit comes out");
  const Result<std::string> again = files::Inflate(files::Deflate(*text), kLimit);
  Check(again && *again == *text, "what is deflated inflates");
}

/// No input has the right hash of another, so the input is packed here.
void CheckVerification(std::string_view text) {
  const std::string deflated = files::Deflate(text);
  const Result<files::VerifiedObject> verified =
      files::VerifyPacked({.id = files::ObjectIdOf(text), .deflated = deflated});
  Check(verified.has_value() == files::ParseObject(text).has_value(),
        "an object is verified when it is one");
}

}  // namespace

void TryInput(std::string_view input) {
  CheckFraming(input);
  CheckObjects(input);
  CheckInflate(input);
  CheckVerification(input);
}

}  // namespace atrium::fuzz
