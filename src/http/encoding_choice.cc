// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/encoding_choice.h"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <span>
#include <string_view>

#include "http/grammar.h"
#include "http/headers.h"

namespace atrium::http {
namespace {

/// Weights in thousandths, as fine as the grammar allows.
constexpr int kFullWeight = 1000;

/// What the header says of the encodings we know; nullopt where it says nothing.
struct Wishes {
  std::optional<int> brotli;
  std::optional<int> gzip;
  std::optional<int> identity;
  std::optional<int> others;  ///< The weight of "*".
};

/// "0", "0.5", "1.000": RFC 9110 §12.4.2.
std::optional<int> ParseWeight(std::string_view text) {
  if (text.empty() || text.size() > 5 || (text[0] != '0' && text[0] != '1') ||
      (text.size() > 1 && text[1] != '.')) {
    return std::nullopt;
  }
  int weight = (text[0] - '0') * kFullWeight;
  int unit = kFullWeight / 10;
  for (const char c : text.substr(std::min<std::size_t>(2, text.size()))) {
    if (c < '0' || c > '9') {
      return std::nullopt;
    }
    weight += (c - '0') * unit;
    unit /= 10;
  }
  return weight <= kFullWeight ? std::optional(weight) : std::nullopt;
}

/// The weight behind the semicolon of one element; nullopt when it is malformed.
std::optional<int> ReadWeight(std::string_view parameters) {
  if (parameters.empty()) {
    return kFullWeight;
  }
  const std::string_view name = TakeUntil(parameters, '=');
  if (!EqualsIgnoringCase(name, "q")) {
    return std::nullopt;
  }
  return ParseWeight(TrimSpace(parameters));
}

/// Where the wish about this coding is kept; null for codings we never send.
std::optional<int>* Place(Wishes& wishes, std::string_view coding) {
  if (EqualsIgnoringCase(coding, "br")) {
    return &wishes.brotli;
  }
  // RFC 9110 §8.4.1.3: x-gzip is the same thing.
  if (EqualsIgnoringCase(coding, "gzip") || EqualsIgnoringCase(coding, "x-gzip")) {
    return &wishes.gzip;
  }
  if (EqualsIgnoringCase(coding, "identity")) {
    return &wishes.identity;
  }
  return coding == "*" ? &wishes.others : nullptr;
}

Wishes ReadWishes(std::string_view header) {
  Wishes wishes;
  while (!header.empty()) {
    std::string_view element = TakeUntil(header, ',');
    const std::string_view coding = TakeUntil(element, ';');
    const std::optional<int> weight = ReadWeight(element);
    std::optional<int>* const place = Place(wishes, coding);
    if (weight && place != nullptr && !place->has_value()) {
      *place = weight;
    }
  }
  return wishes;
}

/// Twice the weight of the wish, 0 for refused. Doubled to leave room, below the smallest wish, for
/// identity that was not mentioned: acceptable, but anything asked for is better.
int Score(const Wishes& wishes, ContentEncoding encoding) {
  switch (encoding) {
    case ContentEncoding::kBrotli:
      return 2 * wishes.brotli.value_or(wishes.others.value_or(0));
    case ContentEncoding::kGzip:
      return 2 * wishes.gzip.value_or(wishes.others.value_or(0));
    case ContentEncoding::kIdentity: {
      const std::optional<int> wish = wishes.identity ? wishes.identity : wishes.others;
      return wish ? 2 * *wish : 1;
    }
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

}  // namespace

std::string_view Name(ContentEncoding encoding) {
  switch (encoding) {
    case ContentEncoding::kIdentity:
      return "identity";
    case ContentEncoding::kGzip:
      return "gzip";
    case ContentEncoding::kBrotli:
      return "br";
  }
  std::abort();  // Unreachable: -Wswitch keeps the list above complete.
}

std::optional<ContentEncoding> ChooseEncoding(std::optional<std::string_view> accept_encoding,
                                              std::span<const ContentEncoding> available) {
  // An empty header is read as no wish but identity, which is what an absent one means to us, too.
  const Wishes wishes = ReadWishes(accept_encoding.value_or(""));
  std::optional<ContentEncoding> best;
  int best_score = 0;
  for (const ContentEncoding encoding : available) {
    if (const int score = Score(wishes, encoding); score > best_score) {
      best = encoding;
      best_score = score;
    }
  }
  return best;
}

}  // namespace atrium::http
