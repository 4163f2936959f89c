// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/search.h"

#include <locale.h>

#include <algorithm>
#include <boost/locale/utf.hpp>
#include <cwctype>
#include <iterator>
#include <utility>

#include "base/base64.h"
#include "base/check.h"
#include "base/utf8.h"
#include "calendar/keys.h"
#include "calendar/time_index.h"
#include "store/key_bytes.h"
#include "store/store.h"

namespace atrium::calendar {
namespace {

constexpr std::size_t kWordsMax = 10;
constexpr std::size_t kPage = 1000;
constexpr std::size_t kRowsLookedAt = 20'000;

/// Unicode as the C library knows it, whatever the language of the machine.
locale_t Unicode() {
  static const locale_t locale = newlocale(LC_CTYPE_MASK, "C.UTF-8", nullptr);
  Check(locale != nullptr, "the C library has C.UTF-8");
  return locale;
}

/// Where a search goes on: a calendar, and a place in its index.
struct Place {
  CalendarId calendar{};
  std::string sort{};
};

std::string Render(const Place& place) {
  return EncodeBase64Url(store::KeyBytes().Text(place.calendar.Render()).Raw(place.sort).Take());
}

Result<Place> ReadPlace(const std::string& text) {
  const Result<std::string> bytes = DecodeBase64Url(text);
  if (bytes) {
    store::KeyReader reader(*bytes);
    const Result<CalendarId> calendar = CalendarId::Parse(reader.Text());
    if (calendar && !reader.Failed()) {
      return Place{.calendar = *calendar, .sort = std::string(reader.Rest())};
    }
  }
  return Fail(ErrorCode::kInvalidArgument, "after: not from a page before");
}

class Finder {
 public:
  Finder(store::Engine& engine, const store::OpContext& op, const SearchQuery& query)
      : engine_(engine), op_(op), query_(query) {}

  Result<SearchPage> Run(std::optional<Place> from) {
    for (const CalendarId& calendar : query_.calendars) {
      if (from && from->calendar != calendar) {
        continue;
      }
      std::optional<std::string> after =
          from && !from->sort.empty() ? std::optional(std::move(from->sort)) : std::nullopt;
      from.reset();
      RETURN_IF_ERROR(LookThrough(calendar, std::move(after)));
      if (page_.resume) {
        break;
      }
    }
    return std::move(page_);
  }

 private:
  Result<void> LookThrough(const CalendarId& calendar, std::optional<std::string> after) {
    const std::string partition = PartitionOf(calendar);
    do {
      if (IsFull() || looked_at_ >= kRowsLookedAt) {
        page_.resume = Render({.calendar = calendar, .sort = after.value_or("")});
        return {};
      }
      ASSIGN_OR_RETURN(after, LookAt(partition, std::move(after)));
    } while (after);
    return {};
  }

  /// One page of the index. Answers where the next one begins, also when it stopped early because
  /// enough was found.
  Result<std::optional<std::string>> LookAt(const std::string& partition,
                                            std::optional<std::string> after) {
    std::optional<std::string> stopped;
    Result<void> outcome;
    store::FunctionSink sink([&](const store::RowView& row) {
      if (!outcome || stopped) {
        return;
      }
      outcome = LookAtRow(row);
      if (IsFull()) {
        stopped = std::string(row.key.sort);
      }
    });
    ASSIGN_OR_RETURN(store::ScanEnd end, engine_.Scan(op_,
                                                      {.table = &kEntriesByTime,
                                                       .partition = partition,
                                                       .limit = kPage,
                                                       .after = std::move(after)},
                                                      sink));
    RETURN_IF_ERROR(outcome);
    return stopped ? std::move(stopped) : std::move(end.resume);
  }

  Result<void> LookAtRow(const store::RowView& row) {
    ++looked_at_;
    ASSIGN_OR_RETURN(auto stored, store::DecodeRecord<Entry>(row.document, row.version));
    if (query_.words.Match(stored.record) && IsFirstRow(row.key.sort, stored.record)) {
      page_.entries.push_back(std::move(stored));
      bytes_ += row.document.size();
    }
    return {};
  }

  bool IsFull() const { return page_.entries.size() >= query_.limit || bytes_ >= query_.bytes_max; }

  store::Engine& engine_;
  const store::OpContext& op_;
  const SearchQuery& query_;
  SearchPage page_;
  std::size_t looked_at_ = 0;
  std::size_t bytes_ = 0;
};

}  // namespace

std::string FoldCase(std::string_view text) {
  using Utf8 = boost::locale::utf::utf_traits<char>;
  std::string folded;
  folded.reserve(text.size());
  const char* at = text.data();
  const char* const end = at + text.size();
  while (at != end) {
    const boost::locale::utf::code_point character = Utf8::decode(at, end);
    if (character != boost::locale::utf::illegal && character != boost::locale::utf::incomplete) {
      Utf8::encode(static_cast<boost::locale::utf::code_point>(
                       towlower_l(static_cast<wint_t>(character), Unicode())),
                   std::back_inserter(folded));
    }
  }
  return folded;
}

Result<SearchWords> SearchWords::Parse(std::string_view text) {
  if (!IsValidUtf8(text)) {
    return Fail(ErrorCode::kInvalidArgument, "q: not UTF-8");
  }
  const std::string folded = FoldCase(text);
  SearchWords words;
  std::size_t at = 0;
  while ((at = folded.find_first_not_of(' ', at)) != std::string::npos) {
    const std::size_t end = std::min(folded.find(' ', at), folded.size());
    words.words_.push_back(folded.substr(at, end - at));
    at = end;
  }
  if (words.words_.empty() || words.words_.size() > kWordsMax) {
    return Fail(ErrorCode::kInvalidArgument, "q: one to ten words");
  }
  return words;
}

bool SearchWords::Match(const Entry& entry) const {
  const std::string text = FoldCase(entry.title + "\n" + entry.location.value_or("") + "\n" +
                                    entry.description.value_or(""));
  return std::ranges::all_of(
      words_, [&](const std::string& word) { return text.find(word) != std::string::npos; });
}

Result<SearchPage> Search(store::Engine& engine, const store::OpContext& op,
                          const SearchQuery& query) {
  std::optional<Place> from;
  if (query.after) {
    ASSIGN_OR_RETURN(from, ReadPlace(*query.after));
  }
  return Finder(engine, op, query).Run(std::move(from));
}

}  // namespace atrium::calendar
