// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/transfer_error.h"

#include <curl/curl.h>

#include <source_location>
#include <string>
#include <string_view>
#include <utility>

#include "base/error.h"
#include "base/ip_network.h"
#include "egress/response_reader.h"
#include "egress/transfer.h"
#include "egress/url.h"

namespace atrium::egress {
namespace {

struct Verdict {
  ErrorCode code;
  Hope hope;
  std::string_view what;
};

Verdict MayPass(std::string_view what) {
  return {.code = ErrorCode::kUnavailable, .hope = Hope::kTransient, .what = what};
}

Verdict WillStay(ErrorCode code, std::string_view what) {
  return {.code = code, .hope = Hope::kFinal, .what = what};
}

Verdict JudgeTimeout(const BrokenTransfer& broken) {
  if (broken.only_connecting) {
    return MayPass("did not accept the connection in time");
  }
  return WillStay(ErrorCode::kDeadlineExceeded, "did not answer in time");
}

Verdict JudgeExcess(const BrokenTransfer& broken) {
  return WillStay(ErrorCode::kLimitExceeded, broken.excess == ResponseReader::Bound::kHeaders
                                                 ? "answered with too many headers"
                                                 : "answered with too large a body");
}

Verdict JudgeCode(const BrokenTransfer& broken) {
  switch (broken.code) {
    case CURLE_OPERATION_TIMEDOUT:
      return JudgeTimeout(broken);
    case CURLE_COULDNT_RESOLVE_HOST:
    case CURLE_COULDNT_RESOLVE_PROXY:
      return MayPass("was not found");
    case CURLE_COULDNT_CONNECT:
      return MayPass("did not accept the connection");
    case CURLE_GOT_NOTHING:
    case CURLE_HTTP2:
    case CURLE_HTTP2_STREAM:
    case CURLE_PARTIAL_FILE:
    case CURLE_RECV_ERROR:
    case CURLE_SEND_ERROR:
      return MayPass("broke the connection off");
    case CURLE_SSL_CONNECT_ERROR:
      return MayPass("did not agree on a TLS connection");
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_CERTPROBLEM:
    case CURLE_SSL_CIPHER:
      return WillStay(ErrorCode::kUnavailable, "has a TLS certificate that is not trusted");
    case CURLE_BAD_FUNCTION_ARGUMENT:
    case CURLE_UNKNOWN_OPTION:
      return WillStay(ErrorCode::kInternal, "was called wrongly");
    default:
      return WillStay(ErrorCode::kUnavailable, "did not answer as HTTP demands");
  }
}

Verdict Judge(const BrokenTransfer& broken) {
  if (broken.excess != ResponseReader::Bound::kNone) {
    return JudgeExcess(broken);
  }
  if (broken.stopped) {
    return WillStay(ErrorCode::kUnavailable, "was not waited for: the caller was stopped");
  }
  return JudgeCode(broken);
}

}  // namespace

TransferFailure ExplainFailure(const BrokenTransfer& broken) {
  const Verdict verdict = Judge(broken);
  std::string message = RenderOrigin(broken.url) + " " + std::string(verdict.what);
  std::string detail = message + " (" + curl_easy_strerror(broken.code);
  if (!broken.explanation.empty()) {
    detail += ": " + std::string(broken.explanation);
  }
  return {.error = Error{.code = verdict.code,
                         .detail = detail + ")",
                         .client_message = std::move(message),
                         .where = std::source_location::current()},
          .hope = verdict.hope};
}

Error RefusedAddress(const Url& url, const IpAddress& address, std::string_view kind) {
  const std::string why = RenderOrigin(url) + " may not be called: it has " + std::string(kind);
  return Error{.code = ErrorCode::kPermissionDenied,
               .detail = why + " (" + Render(address) + ")",
               .client_message = why,
               .where = std::source_location::current()};
}

}  // namespace atrium::egress
