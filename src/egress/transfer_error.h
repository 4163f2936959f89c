// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <curl/curl.h>

#include <string_view>

#include "egress/response_reader.h"
#include "egress/transfer.h"
#include "egress/url.h"

namespace atrium::egress {

/// What is known about a transfer that libcurl gave up.
struct BrokenTransfer {
  const Url& url;
  CURLcode code;
  /// libcurl's own words; may be empty.
  std::string_view explanation;
  ResponseReader::Bound excess;
  bool stopped;
  /// Time ran out for the connection, not for the call.
  bool only_connecting;
};

/// Translates libcurl's codes into ours, once and here.
TransferFailure ExplainFailure(const BrokenTransfer& broken);

}  // namespace atrium::egress
