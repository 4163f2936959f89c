// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "egress/address_guard.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/ip_network.h"
#include "base/result.h"

namespace atrium::egress {
namespace {

struct BlockText {
  std::string_view network;
  std::string_view kind;
};

struct Block {
  Network network;
  std::string_view kind;
};

/// After the IANA registry of special-purpose IPv4 addresses.
constexpr auto kRefusedV4 = std::to_array<BlockText>({
    {.network = "0.0.0.0/8", .kind = "an unspecified address"},
    {.network = "10.0.0.0/8", .kind = "a private address"},
    {.network = "100.64.0.0/10", .kind = "an address shared behind a carrier's NAT"},
    {.network = "127.0.0.0/8", .kind = "a loopback address"},
    {.network = "169.254.0.0/16", .kind = "a link-local address"},
    {.network = "172.16.0.0/12", .kind = "a private address"},
    {.network = "192.0.0.0/24", .kind = "an address reserved for protocols"},
    {.network = "192.0.2.0/24", .kind = "a documentation address"},
    {.network = "192.88.99.0/24", .kind = "an address reserved for protocols"},
    {.network = "192.168.0.0/16", .kind = "a private address"},
    {.network = "198.18.0.0/15", .kind = "a benchmark address"},
    {.network = "198.51.100.0/24", .kind = "a documentation address"},
    {.network = "203.0.113.0/24", .kind = "a documentation address"},
    {.network = "224.0.0.0/4", .kind = "a multicast address"},
    {.network = "255.255.255.255/32", .kind = "the broadcast address"},
    {.network = "240.0.0.0/4", .kind = "a reserved address"},
});

/// The first match names the reason; whatever is outside kPublicV6 is refused even without a name.
constexpr auto kRefusedV6 = std::to_array<BlockText>({
    {.network = "::/128", .kind = "an unspecified address"},
    {.network = "::1/128", .kind = "a loopback address"},
    {.network = "fc00::/7", .kind = "a private address"},
    {.network = "fe80::/10", .kind = "a link-local address"},
    {.network = "fec0::/10", .kind = "a private address"},
    {.network = "ff00::/8", .kind = "a multicast address"},
    {.network = "2001:2::/48", .kind = "a benchmark address"},
    {.network = "2001::/23", .kind = "an address reserved for protocols"},
    {.network = "2001:db8::/32", .kind = "a documentation address"},
    {.network = "3fff::/20", .kind = "a documentation address"},
});
constexpr std::string_view kPublicV6 = "2000::/3";
constexpr std::string_view kNotPublic = "an address outside the public Internet";

/// Blocks of IPv6 whose addresses carry an IPv4 address, and where in them it starts.
struct Embedding {
  Network network;
  std::size_t offset;
};

Network MustParse(std::string_view text) {
  Result<Network> network = ParseNetwork(text);
  Check(network.has_value(), "the built-in networks are well-formed");
  return *network;
}

std::vector<Block> ParseBlocks(std::span<const BlockText> texts) {
  std::vector<Block> blocks;
  blocks.reserve(texts.size());
  for (const BlockText& text : texts) {
    blocks.push_back({.network = MustParse(text.network), .kind = text.kind});
  }
  return blocks;
}

std::optional<std::string_view> FindKind(const std::vector<Block>& blocks,
                                         const IpAddress& address) {
  const auto found = std::ranges::find_if(
      blocks, [&](const Block& block) { return block.network.Contains(address); });
  return found == blocks.end() ? std::nullopt : std::optional(found->kind);
}

std::optional<IpAddress> FindEmbeddedV4(const IpAddress& address) {
  static const std::array<Embedding, 2> embeddings = {{
      {.network = MustParse("64:ff9b::/96"), .offset = 12},  // NAT64, RFC 6052.
      {.network = MustParse("2002::/16"), .offset = 2},      // 6to4, RFC 3056.
  }};
  for (const Embedding& embedding : embeddings) {
    if (embedding.network.Contains(address)) {
      const auto bytes = address.Bytes().subspan(embedding.offset, 4);
      return IpAddress(IpAddress::V4Bytes{bytes[0], bytes[1], bytes[2], bytes[3]});
    }
  }
  return std::nullopt;
}

}  // namespace

AddressGuard::AddressGuard(std::vector<Network> allowed) : allowed_(std::move(allowed)) {}

std::optional<std::string_view> AddressGuard::FindObjection(const IpAddress& address) const {
  static const std::vector<Block> refused_v4 = ParseBlocks(kRefusedV4);
  static const std::vector<Block> refused_v6 = ParseBlocks(kRefusedV6);
  static const Network public_v6 = MustParse(kPublicV6);

  const IpAddress judged = address.Unmapped();
  if (std::ranges::any_of(allowed_, [&](const Network& n) { return n.Contains(judged); })) {
    return std::nullopt;
  }
  if (judged.IsV4()) {
    return FindKind(refused_v4, judged);
  }
  if (const auto embedded = FindEmbeddedV4(judged)) {
    return FindObjection(*embedded);
  }
  if (const auto kind = FindKind(refused_v6, judged)) {
    return kind;
  }
  return public_v6.Contains(judged) ? std::nullopt : std::optional(kNotPublic);
}

}  // namespace atrium::egress
