// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config_builder.h"

#include <fmt/format.h>

#include <optional>

#include "app/config_keys.h"
#include "app/config_spelling.h"

namespace atrium::app {
namespace {

constexpr std::size_t kMistakesMax = 50;
constexpr std::size_t kQuotedBytesMax = 80;

std::string ShownItems(const ConfigValue& value) {
  std::string text = "[";
  for (const std::string& item : value.items) {
    text.append(text.size() > 1 ? ", " : "").append(Quoted(item, kQuotedBytesMax));
    if (text.size() > 4 * kQuotedBytesMax) {
      return text.append(", ...]");
    }
  }
  return text.append("]");
}

std::string WrongShape(const ConfigKey& key, const ConfigValue& value) {
  const bool list = key.shape == ConfigValue::Shape::kList;
  return fmt::format("expected {}{}, got {}", list ? "a list, each item " : "", key.expectation,
                     list ? Quoted(value.items.front(), kQuotedBytesMax) : ShownItems(value));
}

bool SecretInTheOpen(ConfigSource source, const ConfigKey& key) {
  return source != ConfigSource::kEnvironment && key.sensitivity == Sensitivity::kSecret;
}

}  // namespace

void ConfigBuilder::Assign(ConfigSource source, std::string_view origin, std::string_view name,
                           const ConfigValue& value) {
  const ConfigKey* key = FindConfigKey(name);
  if (key == nullptr) {
    return RefuseUnknown(origin, name);
  }
  const auto [first, fresh] = given_.try_emplace({source, std::string(name)}, origin);
  if (!fresh) {
    return RefuseKey(origin, name, fmt::format("given twice, first at {}", first->second));
  }
  if (SecretInTheOpen(source, *key)) {
    return RefuseKey(origin, name,
                     fmt::format("a secret is not written here; use the variable {}, or name a "
                                 "file that holds it",
                                 VariableName(*key)));
  }
  if (value.shape != key->shape) {
    return RefuseKey(origin, name, WrongShape(*key, value));
  }
  if (const std::optional<std::string> refused = key->assign(effective_.config, value)) {
    const bool secret = key->sensitivity == Sensitivity::kSecret;
    return RefuseKey(origin, name,
                     fmt::format("expected {}{}", key->expectation,
                                 secret ? "" : ", got " + Quoted(*refused, kQuotedBytesMax)));
  }
  effective_.origins.insert_or_assign(std::string(name), std::string(origin));
}

void ConfigBuilder::Refuse(std::string_view origin, std::string_view message) {
  ++mistake_count_;
  if (mistakes_.size() < kMistakesMax) {
    mistakes_.push_back(fmt::format("{}: {}", origin, message));
  }
}

Result<EffectiveConfig> ConfigBuilder::Finish() && {
  CheckCombinations();
  if (mistake_count_ == 0) {
    return std::move(effective_);
  }
  if (mistake_count_ > mistakes_.size()) {
    mistakes_.push_back(fmt::format("and {} more", mistake_count_ - mistakes_.size()));
  }
  return Fail(ErrorCode::kInvalidArgument, fmt::format("{}", fmt::join(mistakes_, "\n")));
}

void ConfigBuilder::RefuseKey(std::string_view origin, std::string_view name,
                              std::string_view message) {
  refused_.emplace(name);
  Refuse(origin, fmt::format("{}: {}", name, message));
}

void ConfigBuilder::RefuseUnknown(std::string_view origin, std::string_view name) {
  if (mistakes_.size() == kMistakesMax) {
    ++mistake_count_;
    return;
  }
  std::vector<std::string_view> known;
  for (const ConfigKey& key : ConfigKeys()) {
    known.push_back(key.name);
  }
  Refuse(origin, fmt::format("{}: unknown key{}", Printable(name), DidYouMean(name, known)));
}

void ConfigBuilder::RefuseTogether(std::string_view name, std::string_view other,
                                   std::string_view message) {
  if (refused_.contains(name) || refused_.contains(other)) {
    return;
  }
  const auto origin = effective_.origins.find(name);
  Refuse(origin == effective_.origins.end() ? "default" : std::string_view(origin->second),
         fmt::format("{}: {}", name, message));
}

void ConfigBuilder::CheckCombinations() {
  const Config& config = effective_.config;
  if (!config.tls.certificate.empty() && config.tls.key.empty()) {
    RefuseTogether("tls.certificate", "tls.key", "given without tls.key");
  }
  if (config.tls.certificate.empty() && !config.tls.key.empty()) {
    RefuseTogether("tls.key", "tls.certificate", "given without tls.certificate");
  }
  if (config.tls.Enabled() && config.tls.port != 0 && config.tls.port == config.http.port) {
    const auto* setter = effective_.origins.contains("tls.port") ? "tls.port" : "http.port";
    RefuseTogether(setter, setter, "http.port and tls.port are the same");
  }
  if (!config.secrets.server_secret.empty() && !config.secrets.server_secret_file.empty()) {
    RefuseTogether("secrets.server_secret_file", "secrets.server_secret",
                   "secrets.server_secret is given as well; only one of them can be used");
  }
  CheckMail();
}

void ConfigBuilder::CheckMail() {
  const MailConfig& mail = effective_.config.mail;
  if (mail.transport != MailTransport::kNone && mail.from.empty()) {
    RefuseTogether("mail.transport", "mail.from", "given without mail.from");
  }
  if (mail.transport == MailTransport::kSmtp && mail.smtp_host.empty()) {
    RefuseTogether("mail.transport", "mail.smtp_host", "smtp is given without mail.smtp_host");
  }
  if (!mail.smtp_password.empty() && !mail.smtp_password_file.empty()) {
    RefuseTogether("mail.smtp_password_file", "mail.smtp_password",
                   "mail.smtp_password is given as well; only one of them can be used");
  }
  const bool password = !mail.smtp_password.empty() || !mail.smtp_password_file.empty();
  if (!mail.smtp_username.empty() && !password && !refused_.contains("mail.smtp_password_file")) {
    RefuseTogether("mail.smtp_username", "mail.smtp_password", "given without a password");
  }
  if (mail.smtp_username.empty() && password) {
    RefuseTogether(mail.smtp_password.empty() ? "mail.smtp_password_file" : "mail.smtp_password",
                   "mail.smtp_username", "given without mail.smtp_username");
  }
}

}  // namespace atrium::app
