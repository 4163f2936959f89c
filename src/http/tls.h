// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <memory>
#include <string>

#include "base/instant.h"
#include "base/result.h"
#include "http/server_options.h"

namespace atrium::http {

/// TLS 1.2 and later with the certificate chain and key of `files`. kInvalidArgument, naming the
/// file, when one cannot be read or they do not belong together.
Result<std::shared_ptr<boost::asio::ssl::context>> MakeTlsContext(const TlsFiles& files);

/// Until when the first certificate of the file is good. kInvalidArgument, naming the file, when
/// there is none in it.
Result<Instant> CertificateEnd(const std::string& file);

}  // namespace atrium::http
