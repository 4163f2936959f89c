// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/rocksdb/forwarded_log.h"

#include <array>
#include <cstdarg>
#include <cstdio>
#include <string_view>

#include "base/log.h"

namespace atrium::rocks {
namespace {

class ForwardedLog final : public rocksdb::Logger {
 public:
  ForwardedLog() : Logger(rocksdb::InfoLogLevel::WARN_LEVEL) {}

  using Logger::Logv;

  /// Without a level: what RocksDB always writes into its file, such as its options.
  void Logv(const char* /*format*/, va_list /*arguments*/) override {}

  void Logv(rocksdb::InfoLogLevel level, const char* format, va_list arguments) override {
    if (level < GetInfoLogLevel() || level >= rocksdb::InfoLogLevel::HEADER_LEVEL) {
      return;
    }
    std::array<char, 1024> text{};
    std::vsnprintf(text.data(), text.size(), format, arguments);
    if (level >= rocksdb::InfoLogLevel::ERROR_LEVEL) {
      log::Error("rocksdb", {{"detail", std::string_view(text.data())}});
    } else {
      log::Warn("rocksdb", {{"detail", std::string_view(text.data())}});
    }
  }
};

}  // namespace

std::shared_ptr<rocksdb::Logger> MakeForwardedLog() {
  return std::make_shared<ForwardedLog>();
}

}  // namespace atrium::rocks
