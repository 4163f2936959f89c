// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/zone_uses.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "icalendar/content_line.h"
#include "icalendar/letter_case.h"
#include "icalendar/text_blocks.h"
#include "icalendar/values.h"
#include "icalendar/zone_definition.h"

namespace atrium::icalendar {
namespace {

constexpr int kYearMin = 1900;
constexpr int kYearMax = 2100;
constexpr int kSeriesYears = 30;
constexpr int kSeriesYearMax = 2036;
constexpr YearSpan kUsual{.first = 2010, .last = kSeriesYearMax};

using Spans = std::map<std::string, YearSpan, std::less<>>;

/// A look without taking the line apart, since most lines name no zone.
bool MayNameZone(std::string_view line) {
  constexpr std::string_view kName = "TZID";
  for (std::size_t at = line.find('='); at != std::string_view::npos; at = line.find('=', at + 1)) {
    if (at > kName.size() && SameLetters(line.substr(at - kName.size(), kName.size()), kName)) {
      return true;
    }
  }
  return false;
}

int YearOf(const TimeValue& time) {
  return std::clamp(time.at.date.Year(), kYearMin, kYearMax);
}

void Extend(Spans& spans, std::string_view tzid, const YearSpan& years) {
  const auto [at, is_new] = spans.try_emplace(std::string(tzid), years);
  if (!is_new) {
    at->second.first = std::min(at->second.first, years.first);
    at->second.last = std::max(at->second.last, years.last);
  }
}

void NoteLine(const TextLine& line, Spans& spans) {
  const Result<Property> property = ParseContentLine(line);
  if (!property || property->Find("TZID").empty()) {
    return;
  }
  for (const std::string_view value : SplitList(property->value)) {
    if (const Result<TimeValue> time = ParseTime(value.substr(0, value.find('/')))) {
      Extend(spans, property->Find("TZID"), {.first = YearOf(*time), .last = YearOf(*time)});
    }
  }
}

bool IsRule(std::string_view line) {
  constexpr std::string_view kName = "RRULE";
  return line.size() > kName.size() && SameLetters(line.substr(0, kName.size()), kName) &&
         (line[kName.size()] == ':' || line[kName.size()] == ';');
}

/// The year in which a rule ends; nullopt when it does not say.
std::optional<int> LastYearOf(std::string_view rule) {
  constexpr std::string_view kUntil = "UNTIL=";
  const std::string upper = ToUpper(rule);
  const std::size_t at = upper.find(kUntil);
  if (at == std::string::npos) {
    return std::nullopt;
  }
  const std::string_view value = std::string_view(upper).substr(at + kUntil.size());
  const Result<TimeValue> until = ParseTime(value.substr(0, value.find(';')));
  return until ? std::optional(YearOf(*until)) : std::nullopt;
}

}  // namespace

void ZoneUses::Note(const Block& block) {
  Spans spans;
  const TextLine* rule = nullptr;
  for (const TextLine& line : block.lines) {
    if (MayNameZone(line.text)) {
      NoteLine(line, spans);
    } else if (IsRule(line.text)) {
      rule = &line;
    }
  }
  for (auto& [tzid, years] : spans) {
    if (rule != nullptr) {
      const int open_end = std::min(years.last + kSeriesYears, kSeriesYearMax);
      years.last = std::max(years.last, LastYearOf(rule->text).value_or(open_end));
    }
    is_empty_ = false;
    if (HasRoomFor(tzid)) {
      Extend(years_, tzid, years);
    }
  }
}

bool ZoneUses::HasRoomFor(std::string_view tzid) const {
  return tzid.size() <= kTzidBytesMax && (years_.size() < kTzidsMax || years_.contains(tzid));
}

YearSpan ZoneUses::YearsOf(std::string_view tzid) const {
  const auto found = years_.find(tzid);
  return found == years_.end() ? kUsual : found->second;
}

}  // namespace atrium::icalendar
