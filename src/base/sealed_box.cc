// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/sealed_box.h"

#include <openssl/evp.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <span>

#include "base/base64.h"
#include "base/bytes.h"
#include "base/check.h"
#include "base/hash.h"
#include "base/random.h"

namespace atrium {
namespace {

constexpr std::string_view kVersion = "v1";
constexpr std::size_t kNonceSize = 12;
constexpr std::size_t kTagSize = 16;
constexpr std::size_t kSecretSizeMin = 32;
constexpr std::size_t kIdSizeMax = 32;

using Context = std::unique_ptr<EVP_CIPHER_CTX, decltype(&EVP_CIPHER_CTX_free)>;

/// What goes through the cipher together.
struct Parcel {
  const SealingKey& key;
  std::string_view nonce;
  std::string_view associated;
};

/// The three parts of a sealed text; views into it.
struct Parts {
  std::string_view key_id;
  std::string_view payload;
};

// Never freed: sealing must work until the last destructor has run.
const EVP_CIPHER* Cipher() {
  static const EVP_CIPHER* const cipher = EVP_CIPHER_fetch(nullptr, "AES-256-GCM", nullptr);
  return cipher;
}

const unsigned char* Raw(std::string_view bytes) {
  return reinterpret_cast<const unsigned char*>(bytes.data());
}

unsigned char* Raw(std::string& bytes) {
  return reinterpret_cast<unsigned char*>(bytes.data());
}

bool IsKeyId(std::string_view id) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !id.empty() && id.size() <= kIdSizeMax && std::ranges::all_of(id, allowed);
}

/// "v1.<key id>.": no key id holds a dot, so that no two pairs of prefix and text run together
/// alike.
std::string Prefix(std::string_view key_id) {
  return std::string(kVersion).append(".").append(key_id).append(".");
}

std::optional<Parts> Split(std::string_view sealed) {
  const std::size_t first = sealed.find('.');
  if (first == std::string_view::npos || sealed.substr(0, first) != kVersion) {
    return std::nullopt;
  }
  sealed.remove_prefix(first + 1);
  const std::size_t second = sealed.find('.');
  if (second == std::string_view::npos) {
    return std::nullopt;
  }
  return Parts{.key_id = sealed.substr(0, second), .payload = sealed.substr(second + 1)};
}

enum class Direction { kOpen = 0, kSeal = 1 };

Context Start(Direction direction, const Parcel& parcel) {
  Context context(EVP_CIPHER_CTX_new(), &EVP_CIPHER_CTX_free);
  Check(EVP_CipherInit_ex2(context.get(), Cipher(), Raw(AsChars(parcel.key.bytes)),
                           Raw(parcel.nonce), static_cast<int>(direction), nullptr) == 1,
        "the cipher starts");
  const std::string prefix = Prefix(parcel.key.id);
  for (const std::string_view part : {std::string_view(prefix), parcel.associated}) {
    int taken = 0;
    Check(EVP_CipherUpdate(context.get(), nullptr, &taken, Raw(part),
                           static_cast<int>(part.size())) == 1,
          "the cipher takes associated data");
  }
  return context;
}

/// The ciphertext and the tag behind it.
std::string Encrypt(const Parcel& parcel, std::string_view plain) {
  const Context context = Start(Direction::kSeal, parcel);
  std::string out(plain.size() + kTagSize, '\0');
  int written = 0;
  int rest = 0;
  Check(EVP_CipherUpdate(context.get(), Raw(out), &written, Raw(plain),
                         static_cast<int>(plain.size())) == 1 &&
            EVP_CipherFinal_ex(context.get(), Raw(out) + written, &rest) == 1 &&
            EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_GET_TAG, kTagSize,
                                Raw(out) + plain.size()) == 1,
        "the cipher seals");
  return out;
}

/// nullopt when the tag does not fit; nothing of the plain text leaves then.
std::optional<std::string> Decrypt(const Parcel& parcel, std::string_view encrypted) {
  const Context context = Start(Direction::kOpen, parcel);
  const std::string_view ciphertext = encrypted.substr(0, encrypted.size() - kTagSize);
  std::string tag(encrypted.substr(ciphertext.size()));
  std::string plain(ciphertext.size(), '\0');
  int written = 0;
  int rest = 0;
  const bool opened =
      EVP_CIPHER_CTX_ctrl(context.get(), EVP_CTRL_AEAD_SET_TAG, kTagSize, tag.data()) == 1 &&
      EVP_CipherUpdate(context.get(), Raw(plain), &written, Raw(ciphertext),
                       static_cast<int>(ciphertext.size())) == 1 &&
      EVP_CipherFinal_ex(context.get(), Raw(plain) + written, &rest) == 1;
  return opened ? std::optional(std::move(plain)) : std::nullopt;
}

std::unexpected<Error> NotASealedText() {
  return FailPrivately(ErrorCode::kCorrupt, "not a sealed text");
}

}  // namespace

Result<SecretKey> DeriveKey(std::string_view secret, std::string_view purpose) {
  if (secret.size() < kSecretSizeMin) {
    return Fail(ErrorCode::kInvalidArgument, "the server's secret needs at least 32 bytes");
  }
  SecretKey key;
  std::ranges::copy(
      HkdfSha256({.secret = AsBytes(secret), .salt = {}, .info = purpose}, key.size()),
      key.begin());
  return key;
}

Result<KeyRing> KeyRing::Make(std::vector<SealingKey> newest_first) {
  if (newest_first.empty()) {
    return Fail(ErrorCode::kInvalidArgument, "a key ring needs a key");
  }
  for (auto key = newest_first.begin(); key != newest_first.end(); ++key) {
    if (!IsKeyId(key->id)) {
      return Fail(ErrorCode::kInvalidArgument, "a key id is 1 to 32 of a-z, 0-9 and hyphen");
    }
    if (std::ranges::count(newest_first.begin(), key, key->id, &SealingKey::id) > 0) {
      return Fail(ErrorCode::kInvalidArgument, "two keys have the id " + key->id);
    }
  }
  return KeyRing(std::move(newest_first));
}

const SealingKey* KeyRing::Find(std::string_view id) const {
  const auto found = std::ranges::find(keys_, id, &SealingKey::id);
  return found == keys_.end() ? nullptr : &*found;
}

Result<std::string> SealedBox::Seal(std::string_view plain, std::string_view associated) const {
  if (plain.size() > kPlainBytesMax || associated.size() > kPlainBytesMax) {
    return Fail(ErrorCode::kLimitExceeded, "too long to seal");
  }
  std::array<std::byte, kNonceSize> nonce;
  FillRandom(nonce);
  const Parcel parcel{.key = keys_.Newest(), .nonce = AsChars(nonce), .associated = associated};
  std::string payload(parcel.nonce);
  payload += Encrypt(parcel, plain);
  return Prefix(parcel.key.id) + EncodeBase64Url(payload);
}

Result<std::string> SealedBox::Open(std::string_view sealed, std::string_view associated) const {
  const std::optional<Parts> parts = Split(sealed);
  if (!parts || !IsKeyId(parts->key_id)) {
    return NotASealedText();
  }
  const SealingKey* key = keys_.Find(parts->key_id);
  if (key == nullptr) {
    return FailPrivately(ErrorCode::kCorrupt,
                         "sealed with the unknown key " + std::string(parts->key_id));
  }
  const Result<std::string> payload = DecodeBase64Url(parts->payload);
  const std::size_t overhead = kNonceSize + kTagSize;
  if (!payload || payload->size() < overhead || payload->size() > kPlainBytesMax + overhead ||
      associated.size() > kPlainBytesMax) {
    return NotASealedText();
  }
  const std::string_view bytes = *payload;
  std::optional<std::string> plain =
      Decrypt({.key = *key, .nonce = bytes.substr(0, kNonceSize), .associated = associated},
              bytes.substr(kNonceSize));
  if (!plain) {
    return FailPrivately(ErrorCode::kCorrupt,
                         "a sealed text was altered or belongs to something else");
  }
  return *std::move(plain);
}

bool SealedBox::NeedsResealing(std::string_view sealed) const {
  return !sealed.starts_with(Prefix(keys_.Newest().id));
}

}  // namespace atrium
