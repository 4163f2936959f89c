// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_keys.h"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <iterator>
#include <type_traits>
#include <utility>
#include <vector>

#include "app/config_texts.h"
#include "base/log.h"

namespace atrium::app {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;

constexpr std::uint64_t kKiB = 1024;
constexpr std::uint64_t kMiB = 1024 * kKiB;
constexpr std::uint64_t kGiB = 1024 * kMiB;

template <typename Section, typename Field>
auto In(Section Config::* section, Field Section::* field) {
  return [=](auto& config) -> auto& { return config.*section.*field; };
}

/// A key with one value. `place` yields the field of a Config.
template <typename Place, typename Kind>
ConfigKey One(std::string_view name, Place place, const Kind& kind, std::string_view description) {
  return {.name = name,
          .description = description,
          .shape = ConfigValue::Shape::kScalar,
          .expectation = kind.Expectation(),
          .assign = [place, kind](Config& config,
                                  const ConfigValue& value) -> std::optional<std::string> {
            auto parsed = kind.Parse(value.items.front());
            if (!parsed) {
              return value.items.front();
            }
            auto& field = place(config);
            field = static_cast<std::remove_reference_t<decltype(field)>>(*std::move(parsed));
            return std::nullopt;
          },
          .render =
              [place, kind](const Config& config) {
                return ConfigValue{.shape = ConfigValue::Shape::kScalar,
                                   .items = {kind.Render(place(config))}};
              }};
}

/// A key with a list of values, each of the same kind.
template <typename Place, typename Kind>
ConfigKey Many(std::string_view name, Place place, const Kind& kind, std::string_view description) {
  return {.name = name,
          .description = description,
          .shape = ConfigValue::Shape::kList,
          .expectation = kind.Expectation(),
          .assign = [place, kind](Config& config,
                                  const ConfigValue& value) -> std::optional<std::string> {
            std::vector<typename Kind::Type> items;
            for (const std::string& item : value.items) {
              auto parsed = kind.Parse(item);
              if (!parsed) {
                return item;
              }
              items.push_back(*std::move(parsed));
            }
            place(config) = std::move(items);
            return std::nullopt;
          },
          .render =
              [place, kind](const Config& config) {
                ConfigValue value{.shape = ConfigValue::Shape::kList, .items = {}};
                for (const auto& item : place(config)) {
                  value.items.push_back(kind.Render(item));
                }
                return value;
              }};
}

ConfigKey Secret(ConfigKey key) {
  key.sensitivity = Sensitivity::kSecret;
  return key;
}

WholeNumber Count(std::uint64_t min, std::uint64_t max) {
  return {.min = min, .max = max};
}

Duration Between(milliseconds min, milliseconds max) {
  return {.min = min, .max = max};
}

DecimalNumber Rate() {
  return {.min = 0.01, .max = 1'000'000};
}

WholeNumber Burst() {
  return {.min = 1, .max = 10'000'000};
}

Choice<LogFormat> LogFormats() {
  return {{{"auto", LogFormat::kAuto}, {"text", LogFormat::kText}, {"json", LogFormat::kJson}}};
}

Choice<StoreDurability> Durabilities() {
  return {{{"durable", StoreDurability::kDurable}, {"relaxed", StoreDurability::kRelaxed}}};
}

Choice<MailTransport> MailTransports() {
  return {{{"none", MailTransport::kNone},
           {"smtp", MailTransport::kSmtp},
           {"file", MailTransport::kFile}}};
}

Choice<SmtpTls> SmtpTlsModes() {
  return {{{"none", SmtpTls::kNone},
           {"starttls", SmtpTls::kStartTls},
           {"implicit", SmtpTls::kImplicit}}};
}

Choice<log::Level> LogLevels() {
  return {{{"debug", log::Level::kDebug},
           {"info", log::Level::kInfo},
           {"warn", log::Level::kWarn},
           {"error", log::Level::kError}}};
}

using Keys = std::vector<ConfigKey>;

Keys GeneralKeys() {
  return {One(
      "data", [](auto& config) -> auto& { return config.data; }, Path(),
      "The folder that holds all state. Made on first start; a relative path begins at the "
      "working folder.")};
}

Keys ListenerKeys() {
  using H = HttpConfig;
  const auto in = [](auto field) { return In(&Config::http, field); };
  return {
      One("http.address", in(&H::address), ListenAddress{},
          "Where to listen for plain HTTP. `0.0.0.0` or `::` is every interface."),
      One("http.port", in(&H::port), Count(0, 65535),
          "Port for plain HTTP. 0 lets the system choose a free one."),
      One("http.threads", in(&H::threads), Count(0, 256),
          "Threads that serve sockets. 0 is one per core."),
      One("http.worker_threads", in(&H::worker_threads), Count(1, 4096),
          "Threads for requests that wait: for the disk, or for other servers. One person holds at "
          "most a quarter of them while others need them, and one room of the server three "
          "quarters. Half as many again serve people whose requests compute for long."),
      One("http.worker_queue", in(&H::worker_queue), Count(1, 1'000'000),
          "Requests that may wait for a worker thread; the next one is answered 503. One person "
          "may "
          "have a quarter of them waiting, and one room of the server three quarters."),
      One("http.body_memory", in(&H::body_memory), ByteSize{.min = 256 * kMiB, .max = 1024 * kGiB},
          "Memory for request bodies that are kept whole and for what is decoded from them, of all "
          "clients together, feeds of other servers included. Who would need more waits a few "
          "seconds, and is then answered 503."),
      One("http.max_connections", in(&H::max_connections), Count(1, 1'000'000),
          "Open connections. The process needs as many file descriptors, and some more."),
      One("http.max_connections_per_client", in(&H::max_connections_per_client),
          Count(1, 1'000'000), "Open connections of one client address."),
  };
}

Keys LimitKeys() {
  using H = HttpConfig;
  const auto in = [](auto field) { return In(&Config::http, field); };
  return {
      One("http.header_bytes_max", in(&H::header_bytes_max), ByteSize{.min = kKiB, .max = kMiB},
          "The largest request head, with its first line."),
      One("http.header_timeout", in(&H::header_timeout), Between(milliseconds{100}, hours{1}),
          "How long a request head may take to arrive, from its first byte."),
      One("http.idle_timeout", in(&H::idle_timeout), Between(milliseconds{100}, hours{24}),
          "How long a connection may stay open between two requests."),
      One("http.body_timeout", in(&H::body_timeout), Between(milliseconds{100}, hours{1}),
          "How long a request body may pause without a byte."),
      One("http.body_rate_min", in(&H::body_rate_min), ByteSize{.min = 0, .max = 1024 * kMiB},
          "Bytes per second that a request body must reach in every stretch of "
          "`http.body_timeout`. 0 asks for none."),
      One("http.write_timeout", in(&H::write_timeout), Between(milliseconds{100}, hours{24}),
          "How long a client may take no byte of a response."),
      One("http.drain_timeout", in(&H::drain_timeout), Between(milliseconds{0}, hours{1}),
          "How long requests may run on after the server was told to stop."),
      One("http.heartbeat", in(&H::heartbeat), Between(milliseconds{100}, hours{1}),
          "How long an event stream may be silent before a comment is sent, so that proxies keep "
          "it open."),
  };
}

Keys RateKeys() {
  using H = HttpConfig;
  const auto in = [](auto field) { return In(&Config::http, field); };
  return {
      One("http.request_rate", in(&H::request_rate), Rate(),
          "Requests per second of one client, in the long run; more are answered 429."),
      One("http.request_burst", in(&H::request_burst), Burst(),
          "Requests of one client that may come at once."),
      One("http.costly_rate", in(&H::costly_rate), Rate(),
          "The same for requests that cost much: searches, exports, calls to other servers."),
      One("http.costly_burst", in(&H::costly_burst), Burst(),
          "Costly requests of one client that may come at once."),
      One("http.transfer_rate", in(&H::transfer_rate), Rate(),
          "The same for the pieces of which clients that sync files ask for many."),
      One("http.transfer_burst", in(&H::transfer_burst), Burst(),
          "Pieces that one client may ask for at once."),
      One("http.credential_rate", in(&H::credential_rate), Rate(),
          "The same for attempts to sign in."),
      One("http.credential_burst", in(&H::credential_burst), Burst(),
          "Attempts to sign in of one client that may come at once."),
  };
}

Keys TrustKeys() {
  using H = HttpConfig;
  const auto in = [](auto field) { return In(&Config::http, field); };
  return {
      Many("http.trusted_proxies", in(&H::trusted_proxies), AddressBlock{},
           "Networks of reverse proxies. From these addresses alone, the `X-Forwarded-` headers "
           "`For`, `Proto` and `Host` say who the client is and what it asked for."),
      Many("http.operators", in(&H::operators), AddressBlock{},
           "Networks from which `/metrics` may be read. What a proxy on this machine passes on "
           "does not count as local."),
      Many("http.operator_hosts", in(&H::operator_hosts), HostName(),
           "Host names under which `/metrics` may be read, beside `localhost`, addresses, the host "
           "of `identity.public_url` and those of organisations. A page whose own name is made to "
           "lead to this machine could read it otherwise."),
      Many("http.cors_origins", in(&H::cors_origins), WebOrigin(),
           "Web origins whose pages may call this server from a browser."),
  };
}

Keys TlsKeys() {
  using T = TlsConfig;
  const auto in = [](auto field) { return In(&Config::tls, field); };
  return {
      One("tls.certificate", in(&T::certificate), PathOrEmpty(),
          "PEM file with the certificate and its chain. HTTPS is on when this and `tls.key` are "
          "given."),
      One("tls.key", in(&T::key), PathOrEmpty(), "PEM file with the private key."),
      One("tls.address", in(&T::address), ListenAddress{}, "Where to listen for HTTPS."),
      One("tls.port", in(&T::port), Count(0, 65535),
          "Port for HTTPS. 0 lets the system choose a free one."),
  };
}

Keys StoreKeys() {
  using S = StoreConfig;
  const auto in = [](auto field) { return In(&Config::store, field); };
  return {
      One("store.memory", in(&S::memory), ByteSize{.min = 16 * kMiB, .max = 1024 * kGiB},
          "Memory of the store: what it keeps of its files, and what is not yet written to them, "
          "together."),
      One("store.durability", in(&S::durability), Durabilities(),
          "`durable`: what was answered is on the disk. `relaxed`: it is there about a second "
          "later, and a power cut may take the last second; a crash of the server alone does not."),
      One("store.backup_folder", in(&S::backup_folder), PathOrEmpty(),
          "Where backups of the store go, one each night. Empty: none are made. Best on another "
          "disk."),
      One("store.backup_keep", in(&S::backup_keep), Count(1, 10'000),
          "How many backups are kept; older ones are erased after each new one."),
  };
}

Keys LogKeys() {
  using L = LogConfig;
  const auto in = [](auto field) { return In(&Config::log, field); };
  return {
      One("log.format", in(&L::format), LogFormats(),
          "How log lines look. `auto` is text on a terminal and JSON otherwise."),
      One("log.level", in(&L::level), LogLevels(), "The least severe messages to write."),
      One("log.access", in(&L::access), Switch{}, "Whether to write one line per request."),
      One("log.access_file", in(&L::access_file), PathOrEmpty(),
          "Where the lines per request go. Empty: standard output."),
  };
}

Keys EgressKeys() {
  using E = EgressConfig;
  const auto in = [](auto field) { return In(&Config::egress, field); };
  return {
      Many("egress.allowed_networks", in(&E::allowed_networks), AddressBlock{},
           "Private networks that calls to other servers may reach. Public addresses are always "
           "allowed, private and local ones only when they are in this list."),
      One("egress.proxy", in(&E::proxy), ProxyUrlOrEmpty(),
          "Forward proxy for calls to other servers."),
      One("egress.ca_bundle", in(&E::ca_bundle), PathOrEmpty(),
          "PEM file of certificate authorities to trust in calls to other servers. Empty: those "
          "of the system."),
  };
}

Keys MailKeys() {
  using M = MailConfig;
  const auto in = [](auto field) { return In(&Config::mail, field); };
  return {
      One("mail.transport", in(&M::transport), MailTransports(),
          "How letters leave: `smtp` through a mail server, `file` as .eml files in a folder, for "
          "development, `none` not at all."),
      One("mail.from", in(&M::from), MailboxOrEmpty(),
          "The sender of every letter. Needed unless `mail.transport` is `none`."),
      One("mail.folder", in(&M::folder), PathOrEmpty(),
          "Where `file` writes letters. Empty: `mail` in the data folder."),
      One("mail.smtp_host", in(&M::smtp_host), HostOrEmpty(),
          "The mail server that takes our letters. Needed when `mail.transport` is `smtp`."),
      One("mail.smtp_port", in(&M::smtp_port), Count(0, 65535),
          "Its port. 0 is the usual one: 587 with `starttls`, 465 with `implicit`, 25 with "
          "`none`."),
      One("mail.smtp_tls", in(&M::smtp_tls), SmtpTlsModes(),
          "`starttls` begins in the clear and goes no further without TLS, `implicit` is TLS from "
          "the first byte, `none` shows letters and password to the network."),
      One("mail.smtp_username", in(&M::smtp_username), LineOrEmpty(),
          "User at the mail server. Empty: it takes our letters without."),
      Secret(One("mail.smtp_password", in(&M::smtp_password), Password(),
                 "Password at the mail server, instead of a file.")),
      One("mail.smtp_password_file", in(&M::smtp_password_file), PathOrEmpty(),
          "File with the password at the mail server, in one line."),
  };
}

Keys IdentityKeys() {
  using I = IdentityConfig;
  const auto in = [](auto field) { return In(&Config::identity, field); };
  return {
      One("identity.public_url", in(&I::public_url), PublicUrl{},
          "How people reach this server; links in letters begin with it. Empty: taken from the "
          "address it listens on."),
      One("identity.session_ttl", in(&I::session_ttl), Between(hours{1}, hours{24 * 365}),
          "How long somebody stays signed in without a visit."),
  };
}

Keys SecretKeys() {
  using S = SecretsConfig;
  const auto in = [](auto field) { return In(&Config::secrets, field); };
  return {
      Secret(One("secrets.server_secret", in(&S::server_secret), ServerSecret(),
                 "The secret from which the server's keys are made, instead of a file.")),
      One("secrets.server_secret_file", in(&S::server_secret_file), PathOrEmpty(),
          "File with the server secret. Empty: `server.secret` in the data folder, made on first "
          "start."),
      Secret(Many("secrets.previous_server_secrets", in(&S::previous_server_secrets),
                  ServerSecret(),
                  "Earlier server secrets, newest first: they still open what they sealed.")),
      Many("secrets.previous_server_secret_files", in(&S::previous_server_secret_files), Path(),
           "Files with earlier server secrets, newest first, after those given as values."),
  };
}

Keys MakeKeys() {
  Keys all;
  for (Keys (*group)() : {GeneralKeys, ListenerKeys, LimitKeys, RateKeys, TrustKeys, TlsKeys,
                          StoreKeys, LogKeys, EgressKeys, MailKeys, IdentityKeys, SecretKeys}) {
    std::ranges::move(group(), std::back_inserter(all));
  }
  return all;
}

}  // namespace

std::span<const ConfigKey> ConfigKeys() {
  static const Keys keys = MakeKeys();
  return keys;
}

const ConfigKey* FindConfigKey(std::string_view name) {
  const std::span<const ConfigKey> keys = ConfigKeys();
  const auto found = std::ranges::find(keys, name, &ConfigKey::name);
  return found == keys.end() ? nullptr : &*found;
}

std::string VariableName(const ConfigKey& key) {
  std::string name = "ATRIUM_";
  for (const char letter : key.name) {
    const bool lower = letter >= 'a' && letter <= 'z';
    name.push_back(letter == '.' ? '_' : static_cast<char>(lower ? letter - 'a' + 'A' : letter));
  }
  return name;
}

std::string_view SectionOf(std::string_view key) {
  const std::size_t dot = key.find('.');
  return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

std::string_view LeafOf(std::string_view key) {
  return key.substr(key.find('.') + 1);
}

}  // namespace atrium::app
