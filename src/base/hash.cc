// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/hash.h"

#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/kdf.h>
#include <openssl/params.h>

#include <climits>

#include "base/bytes.h"
#include "base/check.h"

namespace atrium {
namespace {

using hash_internal::ContextDeleter;

// EVP_sha256() looks the algorithm up at each use; a fetched one is looked up once. Never freed:
// hashing must work until the last destructor has run.
const EVP_MD* FetchedSha1() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA1", nullptr);
  return algorithm;
}

const EVP_MD* FetchedSha256() {
  static const EVP_MD* const algorithm = EVP_MD_fetch(nullptr, "SHA256", nullptr);
  return algorithm;
}

const EVP_KDF* FetchedHkdf() {
  static const EVP_KDF* const algorithm = EVP_KDF_fetch(nullptr, "HKDF", nullptr);
  return algorithm;
}

// OpenSSL refuses null pointers even where nothing is to be read.
const std::byte* NotNull(std::span<const std::byte> bytes) {
  static constexpr std::byte kNothing{};
  return bytes.empty() ? &kNothing : bytes.data();
}

const unsigned char* Raw(std::span<const std::byte> bytes) {
  return reinterpret_cast<const unsigned char*>(NotNull(bytes));
}

unsigned char* RawOut(std::span<std::byte> bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

void Start(evp_md_ctx_st* context, const EVP_MD* algorithm) {
  Check(EVP_DigestInit_ex2(context, algorithm, nullptr) == 1, "the hash starts");
}

void Feed(evp_md_ctx_st* context, std::span<const std::byte> bytes) {
  Check(EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1, "the hash takes bytes");
}

template <typename Digest>
Digest FinishAndRestart(evp_md_ctx_st* context, const EVP_MD* algorithm) {
  Digest digest;
  Check(EVP_DigestFinal_ex(context, RawOut(digest), nullptr) == 1, "the hash ends");
  Start(context, algorithm);
  return digest;
}

template <typename Hash>
auto HashOf(std::span<const std::byte> bytes) {
  Hash hash;
  hash.Update(bytes);
  return hash.Finish();
}

// OpenSSL takes parameters as pointers to non-const, and only reads them.
OSSL_PARAM OctetParameter(const char* name, std::span<const std::byte> bytes) {
  return OSSL_PARAM_construct_octet_string(name, const_cast<std::byte*>(NotNull(bytes)),
                                           bytes.size());
}

}  // namespace

void ContextDeleter::operator()(evp_md_ctx_st* context) const {
  EVP_MD_CTX_free(context);
}

Sha1::Sha1() : context_(EVP_MD_CTX_new()) {
  Start(context_.get(), FetchedSha1());
}

void Sha1::Update(std::span<const std::byte> bytes) {
  Feed(context_.get(), bytes);
}

void Sha1::Update(std::string_view bytes) {
  Feed(context_.get(), AsBytes(bytes));
}

Sha1Digest Sha1::Finish() {
  return FinishAndRestart<Sha1Digest>(context_.get(), FetchedSha1());
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
  Start(context_.get(), FetchedSha256());
}

void Sha256::Update(std::span<const std::byte> bytes) {
  Feed(context_.get(), bytes);
}

void Sha256::Update(std::string_view bytes) {
  Feed(context_.get(), AsBytes(bytes));
}

Sha256Digest Sha256::Finish() {
  return FinishAndRestart<Sha256Digest>(context_.get(), FetchedSha256());
}

Sha1Digest Sha1Of(std::span<const std::byte> bytes) {
  return HashOf<Sha1>(bytes);
}

Sha1Digest Sha1Of(std::string_view bytes) {
  return HashOf<Sha1>(AsBytes(bytes));
}

Sha256Digest Sha256Of(std::span<const std::byte> bytes) {
  return HashOf<Sha256>(bytes);
}

Sha256Digest Sha256Of(std::string_view bytes) {
  return HashOf<Sha256>(AsBytes(bytes));
}

Sha256Digest HmacSha256(std::span<const std::byte> key, std::string_view message) {
  Check(key.size() <= INT_MAX, "an HMAC key is short");
  Sha256Digest digest;
  const unsigned char* made = HMAC(FetchedSha256(), Raw(key), static_cast<int>(key.size()),
                                   Raw(AsBytes(message)), message.size(), RawOut(digest), nullptr);
  Check(made != nullptr, "the HMAC is made");
  return digest;
}

std::vector<std::byte> HkdfSha256(const HkdfInput& input, std::size_t length) {
  Check(!input.secret.empty(), "a key is derived from a secret");
  Check(length > 0 && length <= std::size_t{255} * 32, "HKDF yields 1 to 255 blocks");
  char algorithm[] = "SHA256";
  const std::array<OSSL_PARAM, 5> parameters = {
      OSSL_PARAM_construct_utf8_string(OSSL_KDF_PARAM_DIGEST, algorithm, 0),
      OctetParameter(OSSL_KDF_PARAM_KEY, input.secret),
      OctetParameter(OSSL_KDF_PARAM_SALT, input.salt),
      OctetParameter(OSSL_KDF_PARAM_INFO, AsBytes(input.info)), OSSL_PARAM_construct_end()};
  const std::unique_ptr<EVP_KDF_CTX, decltype(&EVP_KDF_CTX_free)> context(
      EVP_KDF_CTX_new(const_cast<EVP_KDF*>(FetchedHkdf())), &EVP_KDF_CTX_free);
  std::vector<std::byte> key(length);
  Check(EVP_KDF_derive(context.get(), RawOut(key), key.size(), parameters.data()) == 1,
        "the key is derived");
  return key;
}

}  // namespace atrium
