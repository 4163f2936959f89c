// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "jobs/keys.h"

#include <string>

#include "store/row.h"

namespace atrium::jobs {

store::Key StateKey(const std::string& job) {
  return {.partition = job, .sort = "state"};
}

store::Key ClockKey() {
  return {.partition = "clock"};
}

}  // namespace atrium::jobs
