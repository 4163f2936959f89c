// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Runs one side of the benchmark of the store and prints what it measured as one JSON object.
// store.py calls it, and says which sides stand beside each other.
//
//   store_bench SIDE FOLDER [NAME=NUMBER ...]

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <system_error>

#include "base/json_write.h"
#include "store_sides.h"

namespace atrium::bench {
namespace {

const std::map<std::string_view, Figures (*)(const Task&)>& Sides() {
  static const std::map<std::string_view, Figures (*)(const Task&)> kSides{
      {"ours_commit", OursCommit},
      {"ours_fill", OursFill},
      {"ours_fill_and_die", OursFillAndDie},
      {"ours_get", OursGet},
      {"ours_open", OursOpen},
      {"ours_scan", OursScan},
      {"ours_settle", OursSettle},
      {"raw_commit", RawCommit},
      {"raw_get", RawGet},
      {"raw_scan", RawScan},
      {"raw_sync", RawSync},
      {"sqlite_commit", SqliteCommit},
      {"sqlite_fill", SqliteFill},
      {"sqlite_scan", SqliteScan},
  };
  return kSides;
}

void SetNumber(Task& task, std::string_view argument) {
  const std::map<std::string_view, std::uint64_t*> numbers{{"rows", &task.rows},
                                                           {"hot_folders", &task.hot_folders},
                                                           {"milliseconds", &task.milliseconds},
                                                           {"writers", &task.writers},
                                                           {"memory_bytes", &task.memory_bytes}};
  const std::size_t equals = argument.find('=');
  const auto number = numbers.find(argument.substr(0, equals));
  Must(equals != std::string_view::npos && number != numbers.end(), "NAME=NUMBER is expected");
  const std::string_view value = argument.substr(equals + 1);
  const auto [end, failed] =
      std::from_chars(value.data(), value.data() + value.size(), *number->second);
  Must(failed == std::errc() && end == value.data() + value.size(), "a number is expected");
}

int Main(std::span<char*> arguments) {
  Must(arguments.size() >= 3, "usage: store_bench SIDE FOLDER [NAME=NUMBER ...]");
  const auto side = Sides().find(arguments[1]);
  Must(side != Sides().end(), "there is no such side");
  Task task{.folder = arguments[2]};
  for (const char* argument : arguments.subspan(3)) {
    SetNumber(task, argument);
  }
  const Figures figures = side->second(task);
  std::printf("%s\n", ToJson(figures).c_str());
  return 0;
}

}  // namespace
}  // namespace atrium::bench

int main(int argc, char** argv) {
  return atrium::bench::Main(std::span(argv, static_cast<std::size_t>(argc)));
}
