// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/ec.h>
#include <openssl/evp.h>
#include <openssl/rsa.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/base64.h"
#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "egress/http_sender.h"
#include "egress/message.h"

namespace atrium::oidc {

inline std::string Text(const std::vector<unsigned char>& bytes) {
  return {bytes.begin(), bytes.end()};
}

/// A key of a provider, made and used by OpenSSL alone, so that what signs is not what verifies.
class TestKey {
 public:
  static TestKey Rsa(std::string kid, unsigned bits = 2048) {
    return {EVP_RSA_gen(bits), std::move(kid)};
  }
  static TestKey Ec(std::string kid, const char* curve = "P-256") {
    return {EVP_EC_gen(curve), std::move(kid), curve};
  }

  /// The public half, with `more` members ("\"use\":\"sig\",") in front.
  std::string Jwk(std::string_view more = "") const {
    std::string jwk = "{" + std::string(more);
    if (!kid_.empty()) {
      jwk += R"("kid":")" + kid_ + R"(",)";
    }
    if (curve_.empty()) {
      return jwk + R"("kty":"RSA","n":")" + Number(OSSL_PKEY_PARAM_RSA_N, 0) + R"(","e":")" +
             Number(OSSL_PKEY_PARAM_RSA_E, 0) + R"("})";
    }
    return jwk + R"("kty":"EC","crv":")" + curve_ + R"(","x":")" +
           Number(OSSL_PKEY_PARAM_EC_PUB_X, CoordinateBytes()) + R"(","y":")" +
           Number(OSSL_PKEY_PARAM_EC_PUB_Y, CoordinateBytes()) + R"("})";
  }

  /// A compact token with this payload, whose header names the algorithm and the key.
  std::string Sign(std::string_view algorithm, std::string_view payload) const {
    std::string header = R"({"alg":")" + std::string(algorithm) + R"(")";
    if (!kid_.empty()) {
      header += R"(,"kid":")" + kid_ + R"(")";
    }
    return SignWith(header + "}", algorithm, payload);
  }

  std::string SignWith(std::string_view header, std::string_view algorithm,
                       std::string_view payload) const {
    const std::string input = EncodeBase64Url(header) + "." + EncodeBase64Url(payload);
    std::string signature = RawSignature(algorithm, input);
    if (!curve_.empty()) {
      signature = JoinedNumbers(signature);
    }
    return input + "." + EncodeBase64Url(signature);
  }

 private:
  TestKey(EVP_PKEY* key, std::string kid, std::string curve = "")
      : key_(key, &EVP_PKEY_free), kid_(std::move(kid)), curve_(std::move(curve)) {
    Check(key != nullptr, "OpenSSL makes keys");
  }

  std::size_t CoordinateBytes() const {
    constexpr unsigned kByteBits = 8;
    return (static_cast<std::size_t>(EVP_PKEY_get_bits(key_.get())) + kByteBits - 1) / kByteBits;
  }

  std::string Number(const char* name, std::size_t bytes) const {
    BIGNUM* number = nullptr;
    Check(EVP_PKEY_get_bn_param(key_.get(), name, &number) == 1, "the key has this number");
    const std::string text = Bytes(number, bytes);
    BN_free(number);
    return EncodeBase64Url(text);
  }

  static std::string Bytes(const BIGNUM* number, std::size_t bytes) {
    std::vector<unsigned char> out(
        std::max(bytes, static_cast<std::size_t>((BN_num_bits(number) + 7) / 8)));
    BN_bn2binpad(number, out.data(), static_cast<int>(out.size()));
    return Text(out);
  }

  std::string RawSignature(std::string_view algorithm, std::string_view input) const {
    const std::string digest = "SHA" + std::string(algorithm.substr(2));
    const std::unique_ptr<EVP_MD_CTX, decltype(&EVP_MD_CTX_free)> context(EVP_MD_CTX_new(),
                                                                          &EVP_MD_CTX_free);
    EVP_PKEY_CTX* options = nullptr;
    Check(EVP_DigestSignInit(context.get(), &options, EVP_get_digestbyname(digest.c_str()), nullptr,
                             key_.get()) == 1,
          "signing begins");
    if (algorithm.starts_with("PS")) {
      EVP_PKEY_CTX_set_rsa_padding(options, RSA_PKCS1_PSS_PADDING);
      EVP_PKEY_CTX_set_rsa_pss_saltlen(options, RSA_PSS_SALTLEN_DIGEST);
    }
    const std::vector<unsigned char> bytes(input.begin(), input.end());
    std::size_t size = 0;
    EVP_DigestSign(context.get(), nullptr, &size, bytes.data(), bytes.size());
    std::vector<unsigned char> signature(size);
    Check(EVP_DigestSign(context.get(), signature.data(), &size, bytes.data(), bytes.size()) == 1,
          "signing ends");
    signature.resize(size);
    return Text(signature);
  }

  /// RFC 7518 §3.4: the two numbers side by side instead of OpenSSL's DER.
  std::string JoinedNumbers(const std::string& der) const {
    const std::vector<unsigned char> bytes(der.begin(), der.end());
    const unsigned char* position = bytes.data();
    ECDSA_SIG* parts = d2i_ECDSA_SIG(nullptr, &position, static_cast<long>(bytes.size()));
    Check(parts != nullptr, "OpenSSL reads its own signature");
    const std::string joined = Bytes(ECDSA_SIG_get0_r(parts), CoordinateBytes()) +
                               Bytes(ECDSA_SIG_get0_s(parts), CoordinateBytes());
    ECDSA_SIG_free(parts);
    return joined;
  }

  std::shared_ptr<EVP_PKEY> key_;
  std::string kid_;
  std::string curve_;
};

inline constexpr std::string_view kTestIssuer = "https://id.example";

/// A discovery document of kTestIssuer with all endpoints.
inline std::string TestDiscovery() {
  return R"({"issuer":"https://id.example",)"
         R"("authorization_endpoint":"https://id.example/auth",)"
         R"("token_endpoint":"https://id.example/token",)"
         R"("userinfo_endpoint":"https://id.example/me",)"
         R"("jwks_uri":"https://id.example/jwks","response_types_supported":["code"]})";
}

/// The other side: answers each URL with what a test has laid there, 404 elsewhere.
class FakeProvider final : public egress::HttpSender {
 public:
  FakeProvider() { Put("https://id.example/.well-known/openid-configuration", TestDiscovery()); }

  Result<egress::OutgoingResponse> Send(const egress::OutgoingRequest& request) override {
    RETURN_IF_ERROR(egress::Validate(request));
    const std::lock_guard lock(mutex_);
    requests_.push_back(request);
    if (down_) {
      return Fail(ErrorCode::kUnavailable, "nobody is there");
    }
    const auto found = answers_.find(request.url);
    return found == answers_.end() ? egress::OutgoingResponse{.status = 404} : found->second;
  }

  void Put(const std::string& url, std::string body, int status = 200) {
    const std::lock_guard lock(mutex_);
    answers_[url] = {.status = status, .body = std::move(body)};
  }

  void PutKeys(const std::vector<const TestKey*>& keys) {
    std::string list;
    for (const TestKey* key : keys) {
      list += (list.empty() ? "" : ",") + key->Jwk();
    }
    Put("https://id.example/jwks", R"({"keys":[)" + list + "]}");
  }

  void GoDown() {
    const std::lock_guard lock(mutex_);
    down_ = true;
  }

  std::vector<egress::OutgoingRequest> RequestsTo(std::string_view url) const {
    const std::lock_guard lock(mutex_);
    std::vector<egress::OutgoingRequest> found;
    std::ranges::copy_if(requests_, std::back_inserter(found),
                         [&](const auto& request) { return request.url == url; });
    return found;
  }

 private:
  mutable std::mutex mutex_;
  // Guarded by mutex_.
  std::map<std::string, egress::OutgoingResponse> answers_;
  std::vector<egress::OutgoingRequest> requests_;
  bool down_ = false;
};

}  // namespace atrium::oidc
