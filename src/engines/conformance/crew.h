// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <functional>

namespace atrium::engines {

/// Runs work(0), work(1) ... each in a thread of its own, all let go at the same moment, and
/// returns when the last is done.
void RunTogether(std::size_t threads, const std::function<void(std::size_t)>& work);

/// The same with watchers beside the workers: each is asked again and again until the last worker
/// is done, and once more then.
struct Watched {
  std::size_t workers = 0;
  std::function<void(std::size_t)> work{};
  std::size_t watchers = 0;
  std::function<void(std::size_t)> watch{};
};
void RunWatched(const Watched& watched);

}  // namespace atrium::engines
