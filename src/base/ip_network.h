// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "base/result.h"

namespace atrium {

/// One IPv4 or IPv6 address, without port and without zone.
///
/// An IPv4-mapped address (::ffff:192.0.2.1) stays an IPv6 address until Unmapped() is asked for.
class IpAddress {
 public:
  using V4Bytes = std::array<std::uint8_t, 4>;
  using V6Bytes = std::array<std::uint8_t, 16>;

  /// The unspecified IPv4 address, 0.0.0.0.
  IpAddress() = default;
  explicit IpAddress(const V4Bytes& bytes);
  explicit IpAddress(const V6Bytes& bytes);

  bool IsV4() const { return length_ == std::tuple_size_v<V4Bytes>; }
  /// Network byte order: 4 bytes or 16.
  std::span<const std::uint8_t> Bytes() const { return {bytes_.data(), length_}; }
  /// The IPv4 address inside ::ffff:0:0/96; every other address is answered unchanged.
  IpAddress Unmapped() const;

  friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

 private:
  std::size_t length_ = std::tuple_size_v<V4Bytes>;
  V6Bytes bytes_{};
};

/// Four decimal numbers, or the forms of RFC 4291 §2.2. Refuses what a lenient reader would take
/// for an address: octal or hexadecimal quads, fewer than four numbers, brackets, zones, white
/// space.
Result<IpAddress> ParseIpAddress(std::string_view text);

/// "192.0.2.1", "2001:db8::1".
std::string Render(const IpAddress& address);

/// A block of addresses that share a prefix (CIDR).
class Network {
 public:
  /// The block of exactly one address.
  explicit Network(const IpAddress& address);

  /// An IPv4-mapped address is judged as the IPv4 address it stands for: sockets that accept both
  /// families report IPv4 peers that way. No other address is ever in a block of the other family.
  bool Contains(const IpAddress& address) const;

  const IpAddress& Base() const { return base_; }
  unsigned PrefixBits() const { return prefix_bits_; }

  friend auto operator<=>(const Network&, const Network&) = default;

 private:
  friend Result<Network> ParseNetwork(std::string_view text);
  Network(const IpAddress& base, unsigned prefix_bits) : base_(base), prefix_bits_(prefix_bits) {}

  IpAddress base_;
  unsigned prefix_bits_;
};

/// "10.0.0.0/8", "fd00::/8", or one address alone. Refuses a prefix longer than the address and
/// bits set to the right of the prefix: 10.0.0.1/8 is a slip of the pen more often than it is
/// meant.
Result<Network> ParseNetwork(std::string_view text);

/// "10.0.0.0/8"; one address alone is rendered with its full prefix, "192.0.2.1/32".
std::string Render(const Network& network);

}  // namespace atrium
