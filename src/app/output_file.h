// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "base/descriptor.h"
#include "base/result.h"

namespace atrium::app {

/// Where a command writes what it was asked for. What was written before an error stays.
class OutputFile {
 public:
  /// A file that is not there yet, for its owner alone; "-" is standard output.
  static Result<OutputFile> Open(const std::string& file);

  Result<void> Write(std::string_view text) const;

 private:
  OutputFile(std::string name, Descriptor descriptor)
      : name_(std::move(name)), descriptor_(std::move(descriptor)) {}

  std::string name_;
  Descriptor descriptor_;
};

}  // namespace atrium::app
