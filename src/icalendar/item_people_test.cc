// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
#include "icalendar/item_people.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <libical/ical.h>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/result.h"
#include "base/testing.h"
#include "icalendar/component.h"
#include "icalendar/content_line.h"
#include "icalendar/item.h"
#include "icalendar/participant.h"

namespace atrium::icalendar {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Property Line(const std::string& text) {
  return ParseContentLine({.number = 7, .text = text}).value();
}

struct Read {
  Item item{};
  std::vector<std::string> notes{};
};

Read ReadLine(const std::string& text) {
  Read read;
  Notes notes;
  const Property property = Line(text);
  if (property.name == "URL") {
    ReadUrl(property, read.item, notes);
  } else if (property.name == "ORGANIZER") {
    ReadOrganizer(property, read.item, notes);
  } else {
    ReadAttendee(property, read.item, notes);
  }
  read.notes = std::move(notes).Take();
  return read;
}

TEST(ItemPeopleTest, AnAttendeeIsReadWithAllThatIsSaidOfThem) {
  const Read read = ReadLine(
      "ATTENDEE;CUTYPE=INDIVIDUAL;ROLE=OPT-PARTICIPANT;PARTSTAT=TENTATIVE;RSVP=TRUE;CN=Ann:"
      "mailto:ann@example.org");
  EXPECT_THAT(read.item.attendees, ElementsAre(Attendee{.address = "ann@example.org",
                                                        .name = "Ann",
                                                        .status = ParticipationStatus::kTentative,
                                                        .role = ParticipationRole::kOptParticipant,
                                                        .kind = ParticipantKind::kIndividual,
                                                        .rsvp = true}));
  EXPECT_THAT(read.notes, IsEmpty());
}

TEST(ItemPeopleTest, WhatIsNotSaidStaysUnsaid) {
  EXPECT_THAT(ReadLine("ATTENDEE:MAILTO:ben@example.org").item.attendees,
              ElementsAre(Attendee{.address = "ben@example.org"}));
}

TEST(ItemPeopleTest, AnswersNobodyKnowsAreToldAndNotKept) {
  const Read read = ReadLine("ATTENDEE;PARTSTAT=X-PERHAPS;ROLE=CHAIR:mailto:ben@example.org");
  EXPECT_THAT(read.item.attendees, ElementsAre(Attendee{.address = "ben@example.org",
                                                        .role = ParticipationRole::kChair}));
  EXPECT_THAT(read.notes, ElementsAre("ATTENDEE on line 7: PARTSTAT not kept: \"X-PERHAPS\""));
}

TEST(ItemPeopleTest, AddressesAreReadHoweverTheyAreWritten) {
  const auto address = [](const std::string& line) {
    return ReadLine(line).item.organizer.value_or(Organizer{}).address;
  };
  EXPECT_EQ(address("ORGANIZER:mailto:ann@example.org"), "ann@example.org");
  EXPECT_EQ(address("ORGANIZER:ann@example.org"), "ann@example.org");
  EXPECT_EQ(address("ORGANIZER;EMAIL=ann@example.org:/aMTIz/principal/"), "ann@example.org");
  EXPECT_EQ(address("ORGANIZER:urn:uuid:4f0a"), "urn:uuid:4f0a");
  EXPECT_EQ(address("ORGANIZER:invalid:nomail"), "invalid:nomail");
  EXPECT_EQ(address("ORGANIZER:mailto:ann@example.org?subject=x"),
            "mailto:ann@example.org?subject=x");
  EXPECT_EQ(address("ORGANIZER: \t"), "");
}

TEST(ItemPeopleTest, NamesMayHoldQuotesAndCarets) {
  const Read read = ReadLine("ATTENDEE;CN=\"Doe, ^'Jo^' ^^ Ann\":mailto:jo@example.org");
  ASSERT_EQ(read.item.attendees.size(), 1);
  EXPECT_EQ(read.item.attendees[0].name, "Doe, \"Jo\" ^ Ann");
  EXPECT_EQ(RenderAttendee(read.item.attendees[0]),
            "ATTENDEE;CN=\"Doe, ^'Jo^' ^^ Ann\":mailto:jo@example.org");
}

TEST(ItemPeopleTest, WhatIsAnAddressOfMail) {
  for (const std::string_view good : {"a@b", "ann+tag@example.org", "j\xc3\xb6rg@example.org"}) {
    EXPECT_TRUE(IsMailAddress(good)) << good;
  }
  for (const std::string_view bad : {"", "@", "a@", "@b", "a b@c", "a@b@c", "<a@b>", "mailto:a@b",
                                     "a@b\r\nBcc: c@d", "a@b?x=y"}) {
    EXPECT_FALSE(IsMailAddress(bad)) << bad;
  }
}

/// Another reader of the same line.
TEST(ItemPeopleTest, AnotherReaderUnderstandsWhatIsWritten) {
  const Attendee attendee{.address = "jo@example.org",
                          .name = "Doe; \"Jo\"",
                          .status = ParticipationStatus::kTentative,
                          .role = ParticipationRole::kNonParticipant,
                          .kind = ParticipantKind::kRoom,
                          .rsvp = false};
  const std::unique_ptr<icalproperty, void (*)(icalproperty*)> read(
      icalproperty_new_from_string(RenderAttendee(attendee).c_str()), icalproperty_free);
  ASSERT_NE(read, nullptr);
  EXPECT_STREQ(icalproperty_get_attendee(read.get()), "mailto:jo@example.org");
  const auto* const name = icalproperty_get_first_parameter(read.get(), ICAL_CN_PARAMETER);
  ASSERT_NE(name, nullptr);
  EXPECT_STREQ(icalparameter_get_cn(name), "Doe; \"Jo\"");
  EXPECT_EQ(icalparameter_get_partstat(
                icalproperty_get_first_parameter(read.get(), ICAL_PARTSTAT_PARAMETER)),
            ICAL_PARTSTAT_TENTATIVE);
  EXPECT_EQ(
      icalparameter_get_role(icalproperty_get_first_parameter(read.get(), ICAL_ROLE_PARAMETER)),
      ICAL_ROLE_NONPARTICIPANT);
  EXPECT_EQ(
      icalparameter_get_cutype(icalproperty_get_first_parameter(read.get(), ICAL_CUTYPE_PARAMETER)),
      ICAL_CUTYPE_ROOM);
}

}  // namespace
}  // namespace atrium::icalendar
