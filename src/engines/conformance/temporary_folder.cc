// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "engines/conformance/temporary_folder.h"

#include <stdlib.h>

#include <string>
#include <system_error>

#include "base/check.h"

namespace atrium::engines {

TemporaryFolder::TemporaryFolder() {
  std::string pattern = (std::filesystem::temp_directory_path() / "store-XXXXXX").string();
  Check(::mkdtemp(pattern.data()) != nullptr, "there is room for a temporary folder");
  path_ = pattern;
}

TemporaryFolder::~TemporaryFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace atrium::engines
