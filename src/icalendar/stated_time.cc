// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/stated_time.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "almanac/zone.h"
#include "base/instant.h"
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

std::optional<almanac::Zone> ZoneWithoutName(TimeForm form, ZoneNames& zones) {
  return form == TimeForm::kUtc ? std::optional(almanac::Zone::Utc()) : zones.ForFloating();
}

/// A time of a zone that the file names.
StatedTime InChoice(const TimeValue& time, const ZoneChoice& choice, TimeUse use) {
  const bool utc = time.form == TimeForm::kUtc;
  if (choice.rules && use == TimeUse::kOnce) {
    const Instant moment = utc ? UtcInstant(time.at) : choice.rules->At(time.at);
    return {.at = almanac::Zone::Utc().In(moment), .zone = almanac::Zone::Utc()};
  }
  return {.at = utc ? choice.zone.In(UtcInstant(time.at)) : time.at,
          .zone = choice.zone,
          .approximate = choice.rules != nullptr};
}

}  // namespace

Result<StatedTime> ReadStatedTime(const Property& property, std::string_view value,
                                  ZoneNames& zones, TimeUse use) {
  const Result<TimeValue> time = ParseTime(Trimmed(value));
  if (!time) {
    return Refuse(property, time.error().client_message);
  }
  if (time->form == TimeForm::kDate || SameLetters(property.Find("VALUE"), "DATE")) {
    return StatedTime{.at = {.date = time->at.date, .time = {}}, .is_date = true};
  }
  const std::string_view tzid = property.Find("TZID");
  if (tzid.empty()) {
    return StatedTime{.at = time->at, .zone = ZoneWithoutName(time->form, zones)};
  }
  const Result<ZoneChoice> choice = zones.Resolve(tzid);
  if (!choice) {
    return Refuse(property, choice.error().client_message);
  }
  return InChoice(*time, *choice, use);
}

}  // namespace atrium::icalendar
