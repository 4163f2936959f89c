// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "identity/totp.h"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/check.h"
#include "base/constant_time.h"
#include "base/hash.h"
#include "base/hex.h"
#include "base/instant.h"
#include "base/random.h"
#include "identity/base32.h"

namespace atrium::identity {
namespace {

constexpr std::size_t kSecretBytes = 20;
constexpr std::chrono::seconds kStep{30};
constexpr std::uint32_t kCodes = 1'000'000;
constexpr std::size_t kDigits = 6;
constexpr std::size_t kRecoveryCodeCharacters = 10;

using HmacSha1Tag = std::array<unsigned char, 20>;

HmacSha1Tag HmacSha1(std::string_view key, std::uint64_t counter) {
  std::array<unsigned char, 8> message{};
  for (std::size_t i = message.size(); i-- > 0; counter >>= 8U) {
    message[i] = static_cast<unsigned char>(counter & 0xFFU);
  }
  HmacSha1Tag tag{};
  unsigned length = 0;
  const unsigned char* made = HMAC(EVP_sha1(), key.data(), static_cast<int>(key.size()),
                                   message.data(), message.size(), tag.data(), &length);
  Check(made != nullptr && length == tag.size(), "HMAC-SHA-1 has 20 bytes");
  return tag;
}

/// RFC 4226 §5.3.
std::uint32_t Truncate(const HmacSha1Tag& tag) {
  const std::size_t offset = tag.back() & 0xFU;
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i) {
    value = value << 8U | tag.at(offset + i);
  }
  return value & 0x7FFF'FFFFU;
}

std::string WithoutSpaces(std::string_view text) {
  std::string kept(text);
  std::erase(kept, ' ');
  return kept;
}

bool IsUnreserved(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == '-' ||
         c == '.' || c == '_' || c == '~';
}

/// RFC 3986 §2.1. Apps show "+" as it is, so a space is %20.
std::string PercentEncode(std::string_view text) {
  constexpr std::string_view kHexDigits = "0123456789ABCDEF";
  std::string encoded;
  for (const char c : text) {
    if (IsUnreserved(c)) {
      encoded += c;
      continue;
    }
    const auto byte = static_cast<unsigned char>(c);
    encoded += '%';
    encoded += kHexDigits[byte >> 4U];
    encoded += kHexDigits[byte & 0xFU];
  }
  return encoded;
}

}  // namespace

std::string NewTotpSecret() {
  std::array<std::byte, kSecretBytes> bytes{};
  FillRandom(bytes);
  return std::string(AsChars(bytes));
}

std::uint64_t TotpStep(Instant now) {
  const auto steps = now.time_since_epoch() / kStep;
  return steps < 0 ? 0 : static_cast<std::uint64_t>(steps);
}

std::string TotpCode(std::string_view secret, std::uint64_t step) {
  const std::string digits = std::to_string(Truncate(HmacSha1(secret, step)) % kCodes);
  return std::string(kDigits - digits.size(), '0') + digits;
}

std::optional<std::uint64_t> MatchTotp(std::string_view secret, std::string_view code, Instant now,
                                       std::uint64_t last_step) {
  const std::string typed = WithoutSpaces(code);
  const std::uint64_t current = TotpStep(now);
  std::optional<std::uint64_t> match;
  for (std::uint64_t step = current == 0 ? 0 : current - 1; step <= current + 1; ++step) {
    const bool equal = ConstantTimeEqual(TotpCode(secret, step), typed);
    if (equal && step > last_step && !match) {
      match = step;
    }
  }
  return match;
}

std::string TotpUri(std::string_view issuer, std::string_view account, std::string_view secret) {
  const std::string encoded_issuer = PercentEncode(issuer);
  return "otpauth://totp/" + encoded_issuer + ":" + PercentEncode(account) +
         "?secret=" + EncodeBase32(secret) + "&issuer=" + encoded_issuer +
         "&algorithm=SHA1&digits=6&period=30";
}

std::vector<std::string> NewRecoveryCodes() {
  std::vector<std::string> codes;
  codes.reserve(kRecoveryCodes);
  for (std::size_t i = 0; i < kRecoveryCodes; ++i) {
    codes.push_back(GroupTypable(RandomTypable(kRecoveryCodeCharacters)));
  }
  return codes;
}

std::string RecoveryCodeHash(std::string_view code) {
  return EncodeHex(Sha256Of(NormaliseTypable(code)));
}

}  // namespace atrium::identity
