// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "app/config.h"

#include "base/result.h"

namespace atrium::app {

std::vector<Network> LoopbackNetworks() {
  return {ParseNetwork("127.0.0.0/8").value(), ParseNetwork("::1/128").value()};
}

}  // namespace atrium::app
