// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "files/people.h"
#include "store/op_context.h"

namespace atrium::files {

/// What people are called whose addresses stand in trees, each looked up once. Whoever is not known
/// any more is called by the address. One thread at a time; who is given outlives it.
class PeopleNames {
 public:
  explicit PeopleNames(const People& people) : people_(people) {}

  const std::string& Of(const store::OpContext& op, std::string_view email);

 private:
  const People& people_;
  std::map<std::string, std::string, std::less<>> names_;
};

}  // namespace atrium::files
