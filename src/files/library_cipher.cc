// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/library_cipher.h"

#include <openssl/crypto.h>
#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "base/check.h"
#include "base/constant_time.h"
#include "base/hex.h"
#include "base/random.h"

namespace atrium::files {
namespace {

/// The salt of all libraries of version 2.
constexpr std::array<unsigned char, 8> kSalt = {0xda, 0x90, 0x45, 0xc3, 0x06, 0xc7, 0xcc, 0x26};
constexpr int kKeyRounds = 1000;
constexpr int kIvRounds = 10;
constexpr std::size_t kBlockBytesMax = std::size_t{1} << 30;

/// Wipes what it guards when it goes.
class Wipe {
 public:
  explicit Wipe(std::span<std::byte> bytes) : bytes_(bytes) {}
  explicit Wipe(std::string& text) : bytes_(std::as_writable_bytes(std::span(text))) {}
  Wipe(const Wipe&) = delete;
  Wipe& operator=(const Wipe&) = delete;
  ~Wipe() { OPENSSL_cleanse(bytes_.data(), bytes_.size()); }

 private:
  std::span<std::byte> bytes_;
};

void DeriveBytes(std::string_view from, int rounds, std::span<std::byte> out) {
  Check(PKCS5_PBKDF2_HMAC(from.data(), static_cast<int>(from.size()), kSalt.data(), kSalt.size(),
                          rounds, EVP_sha256(), static_cast<int>(out.size()),
                          reinterpret_cast<unsigned char*>(out.data())) == 1,
        "a key is derived");
}

/// Where a key and what goes with it are. Views: they live as long as what they point to.
struct KeyView {
  std::string_view key;
  std::string_view iv;
};

/// What version 2 derives from anything.
class DerivedKey {
 public:
  explicit DerivedKey(std::string_view text) {
    DeriveBytes(text, kKeyRounds, key_);
    DeriveBytes(AsChars(key_), kIvRounds, iv_);
  }
  DerivedKey(const DerivedKey&) = delete;
  DerivedKey& operator=(const DerivedKey&) = delete;
  ~DerivedKey() {
    const Wipe key(key_);
    const Wipe iv(iv_);
  }

  KeyView View() const { return {.key = AsChars(key_), .iv = AsChars(iv_)}; }

 private:
  std::array<std::byte, 32> key_{};
  std::array<std::byte, 16> iv_{};
};

const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* Raw(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

enum class Direction { kDecrypt = 0, kEncrypt = 1 };

/// nullopt when the padding is wrong.
std::optional<std::string> RunCipher(Direction direction, const KeyView& key, std::string_view in) {
  const std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)> context(
      EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  Check(EVP_CipherInit_ex(context.get(), EVP_aes_256_cbc(), nullptr, Raw(key.key), Raw(key.iv),
                          static_cast<int>(direction)) == 1,
        "the cipher starts");
  std::string out(in.size() + LibraryKey::kPaddingMax, '\0');
  int written = 0;
  int rest = 0;
  Check(EVP_CipherUpdate(context.get(), Raw(out), &written, Raw(in), static_cast<int>(in.size())) ==
            1,
        "the cipher takes bytes");
  if (EVP_CipherFinal_ex(context.get(), Raw(out) + written, &rest) != 1) {
    OPENSSL_cleanse(out.data(), out.size());
    return std::nullopt;
  }
  out.resize(static_cast<std::size_t>(written) + static_cast<std::size_t>(rest));
  return out;
}

std::string WithLibrary(const LibraryId& library, std::string_view password) {
  return library.Render().append(password);
}

Result<void> CheckPassword(const LibraryLock& lock, const LibraryId& library,
                           std::string_view password) {
  std::string text = WithLibrary(library, password);
  const Wipe wipe(text);
  if (!ConstantTimeEqual(EncodeHex(DerivedKey(text).View().key), lock.magic)) {
    return Fail(ErrorCode::kPermissionDenied, "password: it does not open this library");
  }
  return {};
}

/// Writes the secret of the library to where it will be wiped, and nowhere else.
Result<void> OpenLock(const LibraryLock& lock, const LibraryId& library, std::string_view password,
                      SecretKey& secret) {
  RETURN_IF_ERROR(CheckLibraryLock(lock));
  if (lock.version != 2) {
    return Fail(ErrorCode::kInvalidArgument,
                "enc_version: only libraries of version 2 are opened by the server");
  }
  RETURN_IF_ERROR(CheckPassword(lock, library, password));
  ASSIGN_OR_RETURN(const std::string random_key, DecodeHex(lock.random_key));
  std::optional<std::string> plain =
      RunCipher(Direction::kDecrypt, DerivedKey(password).View(), random_key);
  if (!plain || plain->size() != secret.size()) {
    return FailPrivately(ErrorCode::kCorrupt, "the secret of a library does not decrypt");
  }
  const Wipe wipe(*plain);
  std::ranges::copy(AsBytes(*plain), secret.begin());
  return {};
}

}  // namespace

LibraryKey::LibraryKey(const SecretKey& secret) {
  const DerivedKey derived(AsChars(secret));
  std::ranges::copy(AsBytes(derived.View().key), key_.begin());
  std::ranges::copy(AsBytes(derived.View().iv), iv_.begin());
}

LibraryKey::LibraryKey(LibraryKey&& other) noexcept : key_(other.key_), iv_(other.iv_) {
  const Wipe key(other.key_);
  const Wipe iv(other.iv_);
}

LibraryKey& LibraryKey::operator=(LibraryKey&& other) noexcept {
  std::swap(key_, other.key_);
  std::swap(iv_, other.iv_);
  return *this;
}

LibraryKey::~LibraryKey() {
  const Wipe key(key_);
  const Wipe iv(iv_);
}

std::string LibraryKey::EncryptBlock(std::string_view plain) const {
  Check(plain.size() <= kBlockBytesMax, "a block has at most 1 GiB");
  return *RunCipher(Direction::kEncrypt, {.key = AsChars(key_), .iv = AsChars(iv_)}, plain);
}

Result<std::string> LibraryKey::DecryptBlock(std::string_view encrypted) const {
  if (encrypted.size() > kBlockBytesMax + kPaddingMax) {
    return Fail(ErrorCode::kLimitExceeded, "a block has at most 1 GiB");
  }
  std::optional<std::string> plain =
      RunCipher(Direction::kDecrypt, {.key = AsChars(key_), .iv = AsChars(iv_)}, encrypted);
  if (!plain) {
    return FailPrivately(ErrorCode::kCorrupt, "a block does not decrypt with the library's key");
  }
  return *std::move(plain);
}

Result<LibraryLock> MakeLibraryLock(const LibraryId& library, std::string_view password) {
  SecretKey secret;
  const Wipe wipe(secret);
  FillRandom(secret);
  return MakeLibraryLock(library, password, secret);
}

Result<LibraryLock> MakeLibraryLock(const LibraryId& library, std::string_view password,
                                    const SecretKey& secret) {
  if (password.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "password: must not be empty");
  }
  std::string text = WithLibrary(library, password);
  const Wipe wipe(text);
  return LibraryLock{.version = 2,
                     .magic = EncodeHex(DerivedKey(text).View().key),
                     .random_key = EncodeHex(*RunCipher(
                         Direction::kEncrypt, DerivedKey(password).View(), AsChars(secret)))};
}

Result<LibraryKey> UnlockLibrary(const LibraryLock& lock, const LibraryId& library,
                                 std::string_view password) {
  SecretKey secret{};
  const Wipe wipe(secret);
  RETURN_IF_ERROR(OpenLock(lock, library, password, secret));
  return LibraryKey(secret);
}

Result<LibraryLock> ChangeLibraryPassword(const LibraryLock& lock, const LibraryId& library,
                                          const PasswordChange& change) {
  SecretKey secret{};
  const Wipe wipe(secret);
  RETURN_IF_ERROR(OpenLock(lock, library, change.from, secret));
  return MakeLibraryLock(library, change.to, secret);
}

}  // namespace atrium::files
