// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include <string>
#include <string_view>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "base/instant.h"
#include "base/json_write.h"
#include "base/result.h"
#include "calendar/entry_fields.h"
#include "calendar/entry_rules.h"
#include "calendar/ical_entries.h"
#include "calendar/records.h"
#include "calendar/time_index.h"
#include "fuzz/fuzzing.h"
#include "http/urlencoded.h"
#include "icalendar/item.h"
#include "icalendar/write.h"
#include "store/record.h"

namespace atrium::fuzz {
namespace {

using calendar::Entry;

void CheckRefusal(const Error& error) {
  Check(error.code == ErrorCode::kInvalidArgument || error.code == ErrorCode::kLimitExceeded,
        "what cannot be an entry is a mistake of who asks");
  Check(!error.client_message.empty(), "and they are told which");
}

void CheckEntry(const Entry& entry) {
  Check(!entry.title.empty() && entry.start_date <= entry.end_date, "it has a title and an end");
  Check(!entry.is_timed || (entry.start_time && entry.end_time), "times are there, or not");
  const std::string document = store::EncodeRecord(entry);
  Check(document.size() <= calendar::kEntryBytes, "it fits into a row");
  const Result<store::Stored<Entry>> back = store::DecodeRecord<Entry>(document, {});
  Check(back && ToJson(back->record) == document, "its document reads back");
  Entry again = entry;
  Check(calendar::Settle(again).has_value() && ToJson(again) == document, "it is settled");
  Check(!calendar::TimeRows(entry).empty(), "it takes place some time");
}

void CheckItems(const Entry& entry) {
  const Result<std::vector<icalendar::Item>> items = calendar::ItemsOf(entry);
  Check(items && !items->empty(), "it can be exported");
  icalendar::Writer writer{Instant()};
  for (const icalendar::Item& item : *items) {
    Check(writer.Add(item).has_value(), "and each item be written");
  }
}

}  // namespace

/// The form of an entry, as clients of calendsync send it.
void TryInput(std::string_view input) {
  const Result<http::Form> form = http::ParseForm(input);
  if (!form) {
    return;
  }
  const Result<calendar::EntryFields> fields = calendar::ReadEntryForm(*form);
  if (!fields) {
    CheckRefusal(fields.error());
    return;
  }
  const Result<Entry> entry = calendar::Compose(*fields, "Europe/Berlin");
  if (!entry) {
    CheckRefusal(entry.error());
    return;
  }
  CheckEntry(*entry);
  CheckItems(*entry);
}

}  // namespace atrium::fuzz
