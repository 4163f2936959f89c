// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/tls.h"

#include <openssl/bio.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>

#include <boost/system/error_code.hpp>
#include <chrono>
#include <ctime>
#include <string>

#include "base/check.h"

namespace atrium::http {
namespace {

namespace ssl = boost::asio::ssl;

/// Of Mozilla's intermediate list those with ECDHE: forward secret and authenticated. All clients
/// of that list have one of them. DHE is left out: it lets a client that does next to nothing have
/// the server do a lot. The suites of TLS 1.3 are all of that kind, and stay as OpenSSL has them.
constexpr const char* kSuites =
    "ECDHE-ECDSA-AES128-GCM-SHA256:ECDHE-RSA-AES128-GCM-SHA256:"
    "ECDHE-ECDSA-AES256-GCM-SHA384:ECDHE-RSA-AES256-GCM-SHA384:"
    "ECDHE-ECDSA-CHACHA20-POLY1305:ECDHE-RSA-CHACHA20-POLY1305";
constexpr const char* kGroups = "X25519:P-256:P-384";

// Only HTTP/1.1 is spoken, so a client that offers it by ALPN is told so.
// NOLINTNEXTLINE(readability-function-size): OpenSSL decides how many parameters there are.
int ChooseProtocol(SSL* /*session*/, const unsigned char** out, unsigned char* out_bytes,
                   const unsigned char* in, unsigned in_bytes, void* /*unused*/) {
  static constexpr unsigned char kOurs[] = "\x08http/1.1";
  unsigned char* chosen = nullptr;
  if (SSL_select_next_proto(&chosen, out_bytes, kOurs, sizeof kOurs - 1, in, in_bytes) !=
      OPENSSL_NPN_NEGOTIATED) {
    return SSL_TLSEXT_ERR_NOACK;
  }
  *out = chosen;
  return SSL_TLSEXT_ERR_OK;
}

std::unexpected<Error> Unusable(const std::string& file, const boost::system::error_code& error) {
  return Fail(ErrorCode::kInvalidArgument, file + ": " + error.message());
}

}  // namespace

Result<std::shared_ptr<ssl::context>> MakeTlsContext(const TlsFiles& files) {
  auto context = std::make_shared<ssl::context>(ssl::context::tls_server);
  boost::system::error_code error;
  context->set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                           ssl::context::no_tlsv1_1 | ssl::context::no_compression,
                       error);
  // Which of them, the client chooses: it knows whether it is fast at AES.
  Check(SSL_CTX_set_cipher_list(context->native_handle(), kSuites) == 1 &&
            SSL_CTX_set1_groups_list(context->native_handle(), kGroups) == 1,
        "OpenSSL has the suites and groups");
  context->use_certificate_chain_file(files.certificate, error);
  if (error) {
    return Unusable(files.certificate, error);
  }
  context->use_private_key_file(files.key, ssl::context::pem, error);
  if (error) {
    return Unusable(files.key, error);
  }
  SSL_CTX_set_alpn_select_cb(context->native_handle(), &ChooseProtocol, nullptr);
  return context;
}

Result<Instant> CertificateEnd(const std::string& file) {
  const std::unique_ptr<BIO, int (*)(BIO*)> source(BIO_new_file(file.c_str(), "r"), &BIO_free);
  const std::unique_ptr<X509, void (*)(X509*)> certificate(
      source ? PEM_read_bio_X509(source.get(), nullptr, nullptr, nullptr) : nullptr, &X509_free);
  std::tm end{};
  if (!certificate || ASN1_TIME_to_tm(X509_get0_notAfter(certificate.get()), &end) != 1) {
    return Fail(ErrorCode::kInvalidArgument, file + ": there is no certificate in it");
  }
  return std::chrono::time_point_cast<std::chrono::milliseconds>(
      std::chrono::system_clock::from_time_t(::timegm(&end)));
}

}  // namespace atrium::http
