// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "calendar/records.h"
#include "store/engine.h"
#include "store/list_within.h"
#include "store/record.h"

namespace atrium::calendar {

/// Words to look for, whatever their case.
class SearchWords {
 public:
  /// kInvalidArgument when there are none, or more than ten.
  static Result<SearchWords> Parse(std::string_view text);

  /// Whether title, location and description together have all of them.
  bool Match(const Entry& entry) const;

 private:
  std::vector<std::string> words_;
};

struct SearchQuery {
  std::vector<CalendarId> calendars{};
  SearchWords words{};
  std::size_t limit = 50;
  /// A page ends with the entry that reaches it.
  std::size_t bytes_max = store::kPageBytesMax;
  /// SearchPage::resume of the page before.
  std::optional<std::string> after{};
};

struct SearchPage {
  std::vector<store::Stored<Entry>> entries{};
  /// Where to go on; a page may be empty and have a successor: no call looks at more than a bounded
  /// number of entries.
  std::optional<std::string> resume{};
};

/// Looks through the calendars one after the other. kInvalidArgument for an `after` that is none.
Result<SearchPage> Search(store::Engine& engine, const store::OpContext& op,
                          const SearchQuery& query);

/// Lower case of all scripts that have one.
std::string FoldCase(std::string_view text);

}  // namespace atrium::calendar
