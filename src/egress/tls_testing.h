// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <unistd.h>

#include <cstdio>
#include <memory>
#include <string>

#include "base/check.h"

namespace atrium::egress {

/// A certificate that signs itself, made when the test runs, with a server context that presents it
/// and a file that declares it trusted. Valid for 127.0.0.1 and for `host`.
class SelfSignedCertificate {
 public:
  explicit SelfSignedCertificate(const std::string& host)
      : key_(EVP_EC_gen("P-256"), EVP_PKEY_free),
        certificate_(X509_new(), X509_free),
        context_(SSL_CTX_new(TLS_server_method()), SSL_CTX_free) {
    Fill("IP:127.0.0.1,DNS:" + host);
    Check(SSL_CTX_use_certificate(context_.get(), certificate_.get()) == 1, "own certificate");
    Check(SSL_CTX_use_PrivateKey(context_.get(), key_.get()) == 1, "own key");
    WriteFile();
  }
  SelfSignedCertificate(const SelfSignedCertificate&) = delete;
  SelfSignedCertificate& operator=(const SelfSignedCertificate&) = delete;
  ~SelfSignedCertificate() { unlink(path_.c_str()); }

  SSL_CTX* Context() const { return context_.get(); }
  const std::string& Path() const { return path_; }

 private:
  void Fill(const std::string& names) {
    X509* certificate = certificate_.get();
    X509_set_version(certificate, X509_VERSION_3);
    ASN1_INTEGER_set(X509_get_serialNumber(certificate), 1);
    X509_gmtime_adj(X509_getm_notBefore(certificate), -3600);
    X509_gmtime_adj(X509_getm_notAfter(certificate), 3600);
    X509_set_pubkey(certificate, key_.get());
    X509_NAME* name = X509_get_subject_name(certificate);
    X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC,
                               reinterpret_cast<const unsigned char*>("loopback"), -1, -1, 0);
    X509_set_issuer_name(certificate, name);
    X509_EXTENSION* alternative =
        X509V3_EXT_conf_nid(nullptr, nullptr, NID_subject_alt_name, names.c_str());
    X509_add_ext(certificate, alternative, -1);
    X509_EXTENSION_free(alternative);
    Check(X509_sign(certificate, key_.get(), EVP_sha256()) > 0, "a certificate can be signed");
  }

  void WriteFile() {
    path_ = ::testing::TempDir() + "certificate-XXXXXX";
    const int descriptor = mkstemp(path_.data());
    Check(descriptor >= 0, "a temporary file");
    std::FILE* file = fdopen(descriptor, "w");
    Check(PEM_write_X509(file, certificate_.get()) == 1, "a certificate can be written");
    (void)std::fclose(file);
  }

  std::unique_ptr<EVP_PKEY, void (*)(EVP_PKEY*)> key_;
  std::unique_ptr<X509, void (*)(X509*)> certificate_;
  std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> context_;
  std::string path_;
};

}  // namespace atrium::egress
