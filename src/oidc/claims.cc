// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "oidc/claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <boost/json/array.hpp>
#include <boost/json/object.hpp>
#include <boost/json/value.hpp>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "base/constant_time.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_read.h"
#include "base/result.h"

namespace atrium::oidc {
namespace {

namespace json = boost::json;

constexpr std::size_t kClaimBytesMax = 2048;
constexpr std::string_view kGoogle = "https://accounts.google.com";
constexpr std::string_view kGoogleWithoutScheme = "accounts.google.com";

bool HasControls(std::string_view text) {
  constexpr char kDelete = 0x7F;
  return std::ranges::any_of(
      text, [](char c) { return (static_cast<unsigned char>(c) < 0x20U) || c == kDelete; });
}

/// The claim if it is a text, whatever it says.
std::optional<std::string_view> FindText(const json::object& claims, std::string_view name) {
  const json::value* const value = claims.if_contains(name);
  if (value == nullptr || !value->is_string()) {
    return std::nullopt;
  }
  return std::string_view(value->get_string());
}

/// A claim about the person, or empty.
std::string AboutPerson(const json::object& claims, std::string_view name) {
  const std::optional<std::string_view> text = FindText(claims, name);
  if (!text || text->size() > kClaimBytesMax || HasControls(*text)) {
    return {};
  }
  return std::string(*text);
}

bool IsTrue(const json::object& claims, std::string_view name) {
  const json::value* const value = claims.if_contains(name);
  if (value == nullptr) {
    return false;
  }
  // Some providers write the truth as a text.
  return value->is_bool() ? value->get_bool() : FindText(claims, name) == "true";
}

Result<json::object> ReadObject(std::string_view text, std::string_view what) {
  Result<json::value> value = ParseJson(text);
  if (!value) {
    return While(what, std::move(value).error());
  }
  if (!value->is_object()) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("{} is not a JSON object", what));
  }
  return std::move(value->get_object());
}

/// A NumericDate (RFC 7519 §2), which may have a fraction; nullopt when the claim is not there.
Result<std::optional<Instant>> FindDate(const json::object& claims, std::string_view name) {
  const json::value* const value = claims.if_contains(name);
  if (value == nullptr) {
    return std::nullopt;
  }
  if (!value->is_number()) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("ID token: {} is not a number", name));
  }
  constexpr double kSecondsMax = 1e11;
  const auto seconds = value->to_number<double>();
  if (!std::isfinite(seconds) || seconds < 0 || seconds > kSecondsMax) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("ID token: {} is no date", name));
  }
  return Instant(std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::duration<double>(seconds)));
}

Result<Instant> LoadDate(const json::object& claims, std::string_view name) {
  ASSIGN_OR_RETURN(const std::optional<Instant> date, FindDate(claims, name));
  if (!date) {
    return Fail(ErrorCode::kInvalidArgument, fmt::format("ID token: {} is missing", name));
  }
  return *date;
}

Result<void> CheckIssuer(const json::object& claims, const Expected& expected) {
  const std::optional<std::string_view> issuer = FindText(claims, "iss");
  // Google documents that it writes its own name in either way.
  const bool google = expected.issuer == kGoogle && issuer == kGoogleWithoutScheme;
  if (!google && (!issuer || *issuer != expected.issuer)) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: iss is not the expected issuer");
  }
  return {};
}

Result<void> CheckAudience(const json::object& claims, const Expected& expected) {
  const json::value* const audience = claims.if_contains("aud");
  const json::array* const several = audience == nullptr ? nullptr : audience->if_array();
  const auto is_us = [&](const json::value& value) {
    return value.is_string() && std::string_view(value.get_string()) == expected.client_id;
  };
  const bool ours = several != nullptr ? std::ranges::any_of(*several, is_us)
                                       : audience != nullptr && is_us(*audience);
  if (!ours) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: aud does not name this client");
  }
  const bool needs_party = several != nullptr && several->size() > 1;
  if (needs_party && !claims.contains("azp")) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: azp is missing with several audiences");
  }
  if (claims.contains("azp") && FindText(claims, "azp") != expected.client_id) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: azp is another client");
  }
  return {};
}

Result<void> CheckTimes(const json::object& claims, const Expected& expected) {
  ASSIGN_OR_RETURN(const Instant expires, LoadDate(claims, "exp"));
  ASSIGN_OR_RETURN(const Instant issued, LoadDate(claims, "iat"));
  ASSIGN_OR_RETURN(const std::optional<Instant> begins, FindDate(claims, "nbf"));
  if (expected.now >= expires + expected.leeway) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: it has expired");
  }
  if (issued > expected.now + expected.leeway) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: it was issued in the future");
  }
  if (issued + kTokenAgeMax + expected.leeway < expected.now) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: it was issued too long ago");
  }
  if (begins && *begins > expected.now + expected.leeway) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: it is not valid yet");
  }
  return {};
}

Result<void> CheckNonce(const json::object& claims, const Expected& expected) {
  const std::optional<std::string_view> nonce = FindText(claims, "nonce");
  if (expected.nonce.empty() || !nonce || !ConstantTimeEqual(*nonce, expected.nonce)) {
    return Fail(ErrorCode::kPermissionDenied, "ID token: the nonce is not the one that was sent");
  }
  return {};
}

Result<std::string> LoadSubject(const json::object& claims) {
  const std::optional<std::string_view> subject = FindText(claims, "sub");
  if (!subject || subject->empty() || subject->size() > kSubjectBytesMax || HasControls(*subject)) {
    return Fail(ErrorCode::kInvalidArgument, "sub is missing or malformed");
  }
  return std::string(*subject);
}

}  // namespace

Result<Claims> ReadIdClaims(std::string_view payload, const Expected& expected) {
  ASSIGN_OR_RETURN(const json::object claims, ReadObject(payload, "the ID token"));
  RETURN_IF_ERROR(CheckIssuer(claims, expected));
  RETURN_IF_ERROR(CheckAudience(claims, expected));
  RETURN_IF_ERROR(CheckTimes(claims, expected));
  RETURN_IF_ERROR(CheckNonce(claims, expected));
  ASSIGN_OR_RETURN(std::string subject, LoadSubject(claims));
  ASSIGN_OR_RETURN(const std::optional<Instant> auth_time, FindDate(claims, "auth_time"));
  std::string email = AboutPerson(claims, "email");
  const bool verified = !email.empty() && IsTrue(claims, "email_verified");
  return Claims{.issuer = expected.issuer,
                .subject = std::move(subject),
                .email = std::move(email),
                .email_verified = verified,
                .name = AboutPerson(claims, "name"),
                .picture = AboutPerson(claims, "picture"),
                .locale = AboutPerson(claims, "locale"),
                .hosted_domain = AboutPerson(claims, "hd"),
                .auth_time = auth_time};
}

Result<Claims> ReadUserInfo(std::string_view document, const Claims& known) {
  ASSIGN_OR_RETURN(const json::object claims, ReadObject(document, "the user info"));
  ASSIGN_OR_RETURN(const std::string subject, LoadSubject(claims));
  if (subject != known.subject) {
    return Fail(ErrorCode::kPermissionDenied, "the user info is about another subject");
  }
  Claims filled = known;
  if (filled.email.empty()) {
    filled.email = AboutPerson(claims, "email");
    // The two belong together: a verification says nothing about an address from elsewhere.
    filled.email_verified = !filled.email.empty() && IsTrue(claims, "email_verified");
  }
  const auto fill = [&](std::string& text, std::string_view name) {
    if (text.empty()) {
      text = AboutPerson(claims, name);
    }
  };
  fill(filled.name, "name");
  fill(filled.picture, "picture");
  fill(filled.locale, "locale");
  return filled;
}

}  // namespace atrium::oidc
