// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "base/ip_network.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "base/error.h"
#include "base/result.h"

namespace atrium {
namespace {

constexpr std::array<std::uint8_t, 12> kMappedPrefix = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
constexpr unsigned kMappedBits = 96;

unsigned AddressBits(const IpAddress& address) {
  return static_cast<unsigned>(address.Bytes().size()) * 8;
}

/// The bits of byte `index` that belong to a prefix of `prefix_bits`.
std::uint8_t PrefixMask(unsigned prefix_bits, unsigned index) {
  const unsigned before = index * 8;
  const unsigned kept = prefix_bits <= before ? 0 : std::min(prefix_bits - before, 8U);
  return static_cast<std::uint8_t>(0xffU << (8 - kept));
}

bool HasBitsBeyond(const IpAddress& address, unsigned prefix_bits) {
  for (unsigned i = 0; i < address.Bytes().size(); ++i) {
    if ((address.Bytes()[i] & ~PrefixMask(prefix_bits, i) & 0xff) != 0) {
      return true;
    }
  }
  return false;
}

std::optional<unsigned> ParsePrefixBits(std::string_view text, unsigned bits_max) {
  unsigned bits = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), bits);
  if (failure != std::errc() || end != text.data() + text.size() || bits > bits_max) {
    return std::nullopt;
  }
  return bits;
}

std::unexpected<Error> NotANetwork(std::string_view text, std::string_view why) {
  return Fail(ErrorCode::kInvalidArgument,
              "\"" + std::string(text) + "\" is not a network: " + std::string(why));
}

}  // namespace

IpAddress::IpAddress(const V4Bytes& bytes) {
  std::ranges::copy(bytes, bytes_.begin());
}

IpAddress::IpAddress(const V6Bytes& bytes) : length_(bytes.size()), bytes_(bytes) {}

IpAddress IpAddress::Unmapped() const {
  if (IsV4() || !std::equal(kMappedPrefix.begin(), kMappedPrefix.end(), bytes_.begin())) {
    return *this;
  }
  return IpAddress(V4Bytes{bytes_[12], bytes_[13], bytes_[14], bytes_[15]});
}

Result<IpAddress> ParseIpAddress(std::string_view text) {
  // inet_pton reads up to a zero byte, so one inside the text would hide what follows it.
  const std::string terminated(text);
  if (!terminated.contains('\0')) {
    IpAddress::V4Bytes v4{};
    if (inet_pton(AF_INET, terminated.c_str(), v4.data()) == 1) {
      return IpAddress(v4);
    }
    IpAddress::V6Bytes v6{};
    if (inet_pton(AF_INET6, terminated.c_str(), v6.data()) == 1) {
      return IpAddress(v6);
    }
  }
  return Fail(ErrorCode::kInvalidArgument, "\"" + terminated + "\" is not an IP address");
}

std::string Render(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> text{};
  const int family = address.IsV4() ? AF_INET : AF_INET6;
  inet_ntop(family, address.Bytes().data(), text.data(), static_cast<socklen_t>(text.size()));
  return text.data();
}

Network::Network(const IpAddress& address)
    : base_(address.Unmapped()), prefix_bits_(AddressBits(base_)) {}

bool Network::Contains(const IpAddress& address) const {
  const IpAddress judged = address.Unmapped();
  if (judged.IsV4() != base_.IsV4()) {
    return false;
  }
  for (unsigned i = 0; i * 8 < prefix_bits_; ++i) {
    if (((judged.Bytes()[i] ^ base_.Bytes()[i]) & PrefixMask(prefix_bits_, i)) != 0) {
      return false;
    }
  }
  return true;
}

Result<Network> ParseNetwork(std::string_view text) {
  const std::size_t slash = text.find('/');
  const Result<IpAddress> address = ParseIpAddress(text.substr(0, slash));
  if (!address) {
    return NotANetwork(text, "write an address, or an address, a slash and the prefix length");
  }
  if (slash == std::string_view::npos) {
    return Network(*address);
  }
  const auto bits = ParsePrefixBits(text.substr(slash + 1), AddressBits(*address));
  if (!bits) {
    return NotANetwork(text, "the prefix length must be 0 to 32 for IPv4 and 0 to 128 for IPv6");
  }
  if (HasBitsBeyond(*address, *bits)) {
    return NotANetwork(text, "the address has bits set beyond the prefix");
  }
  const IpAddress base = address->Unmapped();
  // The mapped prefix ends in set bits, so a mapped base that came this far has 96 bits or more.
  return Network(base, base.IsV4() && !address->IsV4() ? *bits - kMappedBits : *bits);
}

std::string Render(const Network& network) {
  return Render(network.Base()) + "/" + std::to_string(network.PrefixBits());
}

}  // namespace atrium
