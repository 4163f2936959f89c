// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "files/people_names.h"

#include <utility>

namespace atrium::files {

const std::string& PeopleNames::Of(const store::OpContext& op, std::string_view email) {
  if (const auto known = names_.find(email); known != names_.end()) {
    return known->second;
  }
  std::string name(email);
  if (const auto person = people_.FindByEmail(op, email); person && *person) {
    name = (*person)->name;
  }
  return names_.emplace(email, std::move(name)).first->second;
}

}  // namespace atrium::files
