// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

#include "base/ip_network.h"
#include "base/log.h"

namespace atrium::app {

// What each field means, what it may hold and how it is called outside is said once, in
// config_keys.cc; a field without a key there cannot be set. The initialisers are the defaults.

/// 127.0.0.0/8 and ::1.
std::vector<Network> LoopbackNetworks();

struct HttpConfig {
  IpAddress address{IpAddress::V4Bytes{127, 0, 0, 1}};
  std::uint16_t port = 8080;
  std::uint32_t threads = 0;
  std::uint32_t worker_threads = 64;
  std::uint32_t worker_queue = 1024;
  std::uint64_t body_memory = std::uint64_t{256} << 20;
  std::uint32_t max_connections = 20'000;
  std::uint32_t max_connections_per_client = 10'000;

  std::uint64_t header_bytes_max = std::uint64_t{32} * 1024;
  std::chrono::milliseconds header_timeout = std::chrono::seconds{10};
  std::chrono::milliseconds idle_timeout = std::chrono::seconds{75};
  std::chrono::milliseconds body_timeout = std::chrono::seconds{30};
  /// Bytes per second.
  std::uint64_t body_rate_min = 1024;
  std::chrono::milliseconds write_timeout = std::chrono::seconds{60};
  std::chrono::milliseconds drain_timeout = std::chrono::seconds{30};
  std::chrono::milliseconds heartbeat = std::chrono::seconds{15};

  // Rates are requests per second and client; a burst is how many may come at once.
  double request_rate = 2000;
  std::uint32_t request_burst = 4000;
  double costly_rate = 20;
  std::uint32_t costly_burst = 60;
  double transfer_rate = 5000;
  std::uint32_t transfer_burst = 20'000;
  double credential_rate = 5;
  std::uint32_t credential_burst = 30;

  std::vector<Network> trusted_proxies;
  std::vector<Network> operators = LoopbackNetworks();
  std::vector<std::string> operator_hosts;
  std::vector<std::string> cors_origins;
};

struct TlsConfig {
  std::string certificate;
  std::string key;
  IpAddress address;
  std::uint16_t port = 8443;

  /// A checked configuration has both files or neither.
  bool Enabled() const { return !certificate.empty(); }
};

/// Which commits survive a power cut.
enum class StoreDurability : std::uint8_t {
  kDurable,  ///< Every one that was answered.
  kRelaxed,  ///< All but those of the last second or so.
};

struct StoreConfig {
  std::uint64_t memory = std::uint64_t{256} << 20;
  StoreDurability durability = StoreDurability::kDurable;
  std::string backup_folder;
  std::uint32_t backup_keep = 7;
};

enum class LogFormat : std::uint8_t {
  kAuto,  ///< Text on a terminal, JSON otherwise.
  kText,
  kJson,
};

struct LogConfig {
  LogFormat format = LogFormat::kAuto;
  log::Level level = log::Level::kInfo;
  bool access = true;
  std::string access_file;
};

struct EgressConfig {
  std::vector<Network> allowed_networks;
  std::string proxy;
  std::string ca_bundle;
};

enum class MailTransport : std::uint8_t {
  kNone,  ///< Nothing is sent; what needs mail says that it is not set up.
  kSmtp,
  kFile,  ///< Each letter becomes a file. For development.
};

enum class SmtpTls : std::uint8_t {
  kNone,
  kStartTls,  ///< Begun in the clear, then required.
  kImplicit,  ///< From the first byte.
};

struct MailConfig {
  MailTransport transport = MailTransport::kNone;
  std::string from;
  std::string folder;
  std::string smtp_host;
  std::uint16_t smtp_port = 0;
  SmtpTls smtp_tls = SmtpTls::kStartTls;
  std::string smtp_username;
  std::string smtp_password;
  std::string smtp_password_file;
};

struct IdentityConfig {
  /// Without a slash at its end.
  std::string public_url;
  std::chrono::milliseconds session_ttl = std::chrono::hours{24 * 7};
};

/// Values are hexadecimal, as they were given; secrets.h turns them, or the files, into keys.
struct SecretsConfig {
  std::string server_secret;
  std::string server_secret_file;
  std::vector<std::string> previous_server_secrets;
  std::vector<std::string> previous_server_secret_files;
};

/// Everything that can be set from outside. A value made by LoadConfig or ParseConfigText has been
/// checked: each field is in its range, and the fields agree with each other.
struct Config {
  /// The folder that holds all state.
  std::string data = "./data";
  HttpConfig http;
  TlsConfig tls;
  StoreConfig store;
  LogConfig log;
  EgressConfig egress;
  MailConfig mail;
  IdentityConfig identity;
  SecretsConfig secrets;
};

}  // namespace atrium::app
