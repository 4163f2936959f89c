// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "calendar/export.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/result.h"
#include "calendar/entry_walk.h"
#include "calendar/ical_entries.h"
#include "calendar/work_names.h"
#include "http/percent.h"
#include "icalendar/write.h"
#include "store/op_context.h"
#include "store/record.h"

namespace atrium::calendar {
namespace {

using icalendar::Item;

class CalendarFile final : public http::BodySource {
 public:
  CalendarFile(const store::Ground& ground, ExportOrder order)
      : order_(std::move(order)),
        writer_(ground.clock.Now()),
        walk_(ground.store, order_.calendar) {}

  Result<std::optional<std::string>> Next() override {
    switch (stage_) {
      case Stage::kHead:
        stage_ = Stage::kEntries;
        return writer_.Begin(order_.head);
      case Stage::kEntries:
        return NextEntries();
      case Stage::kEnd:
        break;
    }
    return std::nullopt;
  }

 private:
  enum class Stage : std::uint8_t { kHead, kEntries, kEnd };

  Result<std::optional<std::string>> NextEntries() {
    ASSIGN_OR_RETURN(const auto page, walk_.Next(store::OpContext::ForWork(kExport)));
    if (page.empty()) {
      stage_ = Stage::kEnd;
      return writer_.End();
    }
    std::string text;
    for (const store::Stored<Entry>& one : page) {
      Append(one.record, text);
    }
    return text;
  }

  /// One entry that cannot be written must not cost the others.
  void Append(const Entry& entry, std::string& text) {
    Result<std::vector<Item>> items =
        order_.detail == FeedDetail::kBusy ? BusyItemsOf(entry) : ItemsOf(entry);
    if (!items) {
      LeaveOut(entry, items.error());
      return;
    }
    for (Item& item : *items) {
      if (order_.people == PeopleInFile::kLeftOut) {
        item.organizer.reset();
        item.attendees.clear();
      }
      const Result<std::string> piece = writer_.Add(item);
      if (piece) {
        text += *piece;
      } else {
        LeaveOut(entry, piece.error());
      }
    }
  }

  static void LeaveOut(const Entry& entry, const Error& error) {
    log::Warn("entry left out of a file",
              {{"entry", entry.id.Render()}, {"error", Describe(error)}});
  }

  const ExportOrder order_;
  icalendar::Writer writer_;
  EntryWalk walk_;
  Stage stage_ = Stage::kHead;
};

bool IsPlain(char c) {
  return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') || ('0' <= c && c <= '9') || c == ' ' ||
         c == '-' || c == '_';
}

}  // namespace

icalendar::CalendarHead HeadOf(const Calendar& calendar) {
  return {.name = calendar.name, .description = calendar.description, .color = calendar.color};
}

std::unique_ptr<http::BodySource> StreamCalendar(const store::Ground& ground, ExportOrder order) {
  return std::make_unique<CalendarFile>(ground, std::move(order));
}

std::string DispositionFor(std::string_view calendar_name) {
  std::string plain(calendar_name);
  std::ranges::replace_if(plain, [](char c) { return !IsPlain(c); }, '_');
  return "attachment; filename=\"" + plain + ".ics\"; filename*=UTF-8''" +
         http::PercentEncode(calendar_name) + ".ics";
}

}  // namespace atrium::calendar
