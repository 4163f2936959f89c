// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "http/body_pace.h"

namespace atrium::http {

bool BodyPace::Keeps(std::size_t bytes, std::chrono::nanoseconds waited) {
  waited_ += waited;
  stretch_waited_ += waited;
  stretch_bytes_ += bytes;
  if (limits_.time_max && waited_ > *limits_.time_max) {
    return false;
  }
  if (stretch_waited_ <= limits_.stretch) {
    return true;
  }
  const double wanted = std::chrono::duration<double>(stretch_waited_).count() *
                        static_cast<double>(limits_.bytes_per_second_min);
  const bool fast_enough = static_cast<double>(stretch_bytes_) >= wanted;
  stretch_waited_ = {};
  stretch_bytes_ = 0;
  return fast_enough;
}

}  // namespace atrium::http
