// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <utility>

#include "app/config_builder.h"
#include "app/config_keys.h"
#include "app/config_print.h"
#include "app/config_text.h"
#include "base/check.h"
#include "base/error.h"
#include "base/result.h"
#include "base/utf8.h"
#include "fuzz/fuzzing.h"

namespace atrium::fuzz {
namespace {

/// However many mistakes there are, and however long their texts.
constexpr std::size_t kMessageBytesMax = std::size_t{256} << 10U;

void CheckRefusal(const Error& error) {
  Check(error.code == ErrorCode::kInvalidArgument, "a bad text is an invalid argument");
  Check(!error.client_message.empty() && error.client_message.size() <= kMessageBytesMax,
        "the mistakes are named, within bounds");
  Check(IsValidUtf8(error.client_message), "the mistakes can be printed");
}

void CheckPrinted(const app::EffectiveConfig& effective) {
  const Result<app::Config> again =
      app::ParseConfigText(app::RenderConfig(effective), "printed.yaml");
  Check(again.has_value(), "a printed configuration is accepted");
  for (const app::ConfigKey& key : app::ConfigKeys()) {
    // Secrets are printed masked and come back as their defaults.
    if (key.sensitivity == app::Sensitivity::kOpen) {
      Check(key.render(*again).items == key.render(effective.config).items,
            "a printed value reads back");
    }
  }
}

}  // namespace

void TryInput(std::string_view input) {
  const Result<app::Config> config = app::ParseConfigText(input, "fuzz.yaml");
  app::ConfigBuilder builder;
  app::ReadConfigText(input, "fuzz.yaml", builder);
  const Result<app::EffectiveConfig> effective = std::move(builder).Finish();
  Check(config.has_value() == effective.has_value(), "both ways of reading agree");
  if (!effective) {
    CheckRefusal(config.error());
    return;
  }
  CheckPrinted(*effective);
}

}  // namespace atrium::fuzz
