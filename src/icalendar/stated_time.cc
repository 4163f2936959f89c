// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/stated_time.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "almanac/zone.h"
#include "base/result.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/letter_case.h"
#include "icalendar/values.h"
#include "icalendar/zone_names.h"

namespace atrium::icalendar {
namespace {

std::string_view Trimmed(std::string_view text) {
  constexpr std::string_view kBlanks = " \t";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

}  // namespace

Result<StatedTime> ReadStatedTime(const Property& property, std::string_view value,
                                  ZoneNames& zones) {
  const Result<TimeValue> time = ParseTime(Trimmed(value));
  if (!time) {
    return Refuse(property, time.error().client_message);
  }
  if (time->form == TimeForm::kDate || SameLetters(property.Find("VALUE"), "DATE")) {
    return StatedTime{
        .at = {.date = time->at.date, .time = {}}, .is_date = true, .zone = std::nullopt};
  }
  const bool utc = time->form == TimeForm::kUtc;
  const std::string_view tzid = property.Find("TZID");
  if (tzid.empty()) {
    return StatedTime{.at = time->at,
                      .is_date = false,
                      .zone = utc ? std::optional(almanac::Zone::Utc()) : std::nullopt};
  }
  const Result<almanac::Zone> zone = zones.Resolve(tzid);
  if (!zone) {
    return Refuse(property, zone.error().client_message);
  }
  return StatedTime{
      .at = utc ? zone->In(UtcInstant(time->at)) : time->at, .is_date = false, .zone = *zone};
}

}  // namespace atrium::icalendar
