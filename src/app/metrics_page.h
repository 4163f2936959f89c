// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <prometheus/collectable.h>

#include <string>
#include <vector>

namespace atrium::app {

/// Everything that is measured, in the text form that Prometheus reads: what the parts of the
/// server count, and the process as the system sees it.
class MetricsPage {
 public:
  /// `part` outlives the page. Before the server starts.
  void Add(const prometheus::Collectable& part) { parts_.push_back(&part); }

  std::string Render() const;

 private:
  std::vector<const prometheus::Collectable*> parts_;
};

}  // namespace atrium::app
