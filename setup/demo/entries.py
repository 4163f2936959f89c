# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""A year of entries around today, by calendar."""

import dataclasses
import datetime
import typing

import special_days

BERLIN, TOKYO, NEW_YORK = "Europe/Berlin", "Asia/Tokyo", "America/New_York"
MON, TUE, WED, THU, FRI, SAT, SUN = range(7)
DAY_CODES = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
# Series began half a year ago.
PAST, AHEAD = -26, 26


@dataclasses.dataclass
class Entry:
    """What is created, and what happens to it afterwards; occurrences are local times as in `2026-03-01T09:00`."""

    fields: dict[str, typing.Any]
    changed: dict[str, dict] = dataclasses.field(default_factory=dict)
    cancelled: list[str] = dataclasses.field(default_factory=list)
    done: list[str] = dataclasses.field(default_factory=list)
    edits: list[dict] = dataclasses.field(default_factory=list)


class Week:
    """Days by how many weeks they are from this one."""

    def __init__(self, today: datetime.date):
        self.today = today
        self.monday = today - datetime.timedelta(days=today.weekday())

    def day(self, week: int, weekday: int = MON) -> datetime.date:
        return self.monday + datetime.timedelta(weeks=week, days=weekday)

    def timed(self, week: int, weekday: int, start: str, end: str, title: str, **more: typing.Any) -> Entry:
        day = str(self.day(week, weekday))
        return Entry({"kind": "timed", "title": title, "startDate": day, "startTime": start, "endTime": end,
                      "timeZone": BERLIN} | more)

    def weekly(self, weekday: int, start: str, end: str, title: str, every: int = 1, **more: typing.Any) -> Entry:
        rule = f"FREQ=WEEKLY;BYDAY={DAY_CODES[weekday]}" + (f";INTERVAL={every}" if every > 1 else "")
        return self.timed(PAST, weekday, start, end, title, recurrence={"rule": rule}, **more)

    def stretch(self, week: int, weekday: int, days: int, title: str, **more: typing.Any) -> Entry:
        first = self.day(week, weekday)
        return Entry({"kind": "multi-day", "title": title, "startDate": str(first),
                      "endDate": str(first + datetime.timedelta(days=days - 1))} | more)

    def task(self, week: int, weekday: int, title: str, **more: typing.Any) -> Entry:
        """Done when it was due before today."""
        day = self.day(week, weekday)
        return Entry({"kind": "task", "title": title, "startDate": str(day), "completed": day < self.today} | more)

    def at(self, week: int, weekday: int, time: str = "00:00") -> str:
        return f"{self.day(week, weekday)}T{time}"


def of(calendar: str, today: datetime.date) -> list[Entry]:
    return BY_CALENDAR[calendar](Week(today))


def family(week: Week) -> list[Entry]:
    swimming = week.weekly(WED, "16:30", "17:30", "Swimming, Ida", location="Harbour baths",
                           reminders=[{"minutesBefore": 30}])
    swimming.cancelled = [week.at(-3, WED, "16:30"), week.at(5, WED, "16:30")]
    dinner = week.weekly(SUN, "18:00", "20:30", "Dinner at Ruth's", every=2, location="Mill Lane 4")
    dinner.changed = {week.at(2, SUN, "18:00"): {"startTime": "12:00", "endTime": "15:00", "title": "Lunch at Ruth's"}}
    dentist = week.timed(1, TUE, "08:15", "09:00", "Dentist", location="Dr. Weiss, Market Square 2",
                         description="Bring the insurance card.", reminders=[{"minutesBefore": 1440}, {"minutesBefore": 60}])
    dentist.edits = [{"startTime": "10:30", "endTime": "11:15"}, {"startTime": "09:45", "endTime": "10:30"}]
    shopping = week.weekly(SAT, "10:00", "11:30", "Farmers' market", location="Old harbour", transparent=True)
    one_time = [
        week.timed(0, MON, "17:15", "18:00", "Eye test, Emil", location="Optician Kern"),
        week.timed(0, THU, "19:30", "22:00", "Babysitter: Lena", transparent=True),
        week.timed(0, SAT, "15:00", "18:00", "Birthday party at Noah's", location="Climbing hall"),
        week.timed(-1, FRI, "20:00", "22:30", "Theatre: The Cherry Orchard", location="City theatre, row 7"),
        week.timed(2, FRI, "19:00", "23:00", "Housewarming, Jonas and Teo", location="Quay 9"),
        week.timed(3, SAT, "11:00", "12:00", "Car: winter tyres", location="Garage Petersen"),
        week.timed(-4, MON, "09:00", "09:30", "Paediatrician, Ida", location="Dr. Amari"),
        week.timed(-9, THU, "16:00", "16:45", "Vaccination, Emil", location="Dr. Amari"),
        week.timed(7, MON, "14:00", "15:00", "Passport office", description="Two photographs, the old passport, 37 euros."),
        week.timed(10, WED, "18:30", "20:00", "Insurance: yearly talk", location="Video call"),
        week.stretch(-2, SAT, 2, "Grandparents are here"),
        week.stretch(4, FRI, 3, "Weekend with the cousins"),
        Entry({"kind": "all-day", "title": "Bin day moves to Wednesday", "startDate": str(week.day(1, WED))}),
        week.task(0, WED, "Sign the consent form for the museum"),
        week.task(0, FRI, "Present for Noah"),
        week.task(-1, TUE, "Book the babysitter"),
        week.task(1, MON, "Renew the library cards"),
        week.task(3, THU, "Order firewood"),
        week.task(-6, FRI, "Tax return: send the papers"),
    ]
    return [swimming, dinner, dentist, shopping, *one_time]


def studio(week: Week) -> list[Entry]:
    standup = week.timed(PAST, MON, "09:00", "09:15", "Stand-up", location="Kitchen table",
                         recurrence={"rule": "FREQ=WEEKLY;BYDAY=MO,TU,WE,TH,FR"})
    standup.cancelled = [week.at(-2, FRI, "09:00"), week.at(1, MON, "09:00")]
    review = week.weekly(THU, "14:00", "15:30", "Design review", location="Large room",
                         description="One project each week. Whoever presents sends the drawings the day before.")
    review.changed = {
        week.at(0, THU, "14:00"): {"title": "Design review: harbour pavilion", "startTime": "13:30"},
        week.at(1, THU, "14:00"): {"startDate": str(week.day(1, FRI)), "endDate": str(week.day(1, FRI))},
    }
    hana = week.weekly(TUE, "17:00", "17:45", "Call with Hana (Tokyo)", every=2, timeZone=TOKYO)
    sam = week.weekly(WED, "10:00", "11:00", "Structure with Sam (New York)", timeZone=NEW_YORK)
    month_end = Entry({"kind": "task", "title": "Send the invoices", "startDate": str(week.day(PAST).replace(day=28)),
                       "recurrence": {"rule": "FREQ=MONTHLY;BYMONTHDAY=28"}})
    one_time = [
        week.timed(0, MON, "10:00", "11:30", "Kick-off: school library", location="Large room"),
        week.timed(0, MON, "11:00", "12:00", "Site visit: quay wall", location="Harbour, gate 3"),
        week.timed(0, TUE, "09:30", "12:00", "Competition: model building", location="Workshop"),
        week.timed(0, TUE, "11:00", "12:30", "Client: Baker & Sons", location="Video call"),
        week.timed(0, TUE, "14:00", "15:00", "Interview: trainee", location="Small room"),
        week.timed(0, WED, "13:00", "14:30", "Fire safety: pavilion", location="Building authority, room 204"),
        week.timed(0, WED, "14:00", "15:00", "Photographs of the finished stairs", location="Mill Lane 11"),
        week.timed(0, THU, "09:30", "11:00", "Cost estimate: harbour pavilion", location="Small room"),
        week.timed(0, FRI, "12:30", "13:30", "Lunch for everybody", location="Courtyard", transparent=True),
        week.timed(0, FRI, "15:00", "16:00", "Looking back at the week", location="Kitchen table"),
        week.timed(1, WED, "10:00", "12:00", "Building permit: last questions", location="Building authority, room 204"),
        week.timed(2, MON, "13:00", "17:00", "Workshop: timber joints", location="Workshop"),
        week.timed(-1, THU, "16:00", "17:30", "Accounts for the quarter", location="Small room"),
        week.timed(-5, TUE, "10:00", "16:00", "Jury: school library", location="Town hall"),
        week.timed(6, FRI, "18:00", "22:00", "Studio party", location="Courtyard"),
        week.stretch(0, TUE, 3, "Sam is in Berlin", color="#0369A1"),
        week.stretch(2, WED, 3, "Trade fair: timber construction", location="Hamburg"),
        week.stretch(8, MON, 12, "Studio closed"),
        week.stretch(-12, MON, 5, "Summer school"),
        week.task(0, WED, "Send the drawings for the review"),
        week.task(0, FRI, "Hand in the competition entry", color="#B91C1C"),
        week.task(1, TUE, "Answer the neighbours' letter"),
        week.task(-1, WED, "Order the model cardboard"),
        week.task(-3, MON, "Renew the software licences"),
    ]
    milestones = [
        week.timed(step, MON, "16:00", "17:00", f"Pavilion: milestone {number}", location="Large room")
        for number, step in enumerate(range(-24, 26, 6), 1)
    ]
    lectures = [
        week.timed(step, THU, "18:30", "20:00", f"Evening lecture: {subject}", location="University, hall 2")
        for step, subject in zip(range(-22, 24, 5), LECTURES, strict=False)
    ]
    return [standup, review, hana, sam, month_end, *one_time, *milestones, *lectures]


LECTURES = ["clay, again", "houses for ten families", "the quiet stair", "light from the north", "repair instead",
            "cities with fewer cars", "the roof as a garden", "what schools need", "timber by the sea", "drawing by hand"]


def trips(week: Week) -> list[Entry]:
    return [
        week.stretch(-20, FRI, 4, "Copenhagen", location="Hotel Nyhavn", description="Trains are booked, seats 41 and 42."),
        week.stretch(-15, SAT, 15, "Summer in Brittany", location="Plougrescant"),
        week.stretch(-3, SAT, 2, "Hiking with Jonas", location="Harz"),
        week.stretch(3, WED, 3, "Site visit in Milan", location="Hotel Torre"),
        week.stretch(8, SAT, 9, "Skiing", location="Arlberg"),
        week.stretch(17, THU, 4, "Lisbon", location="Rua da Rosa 40"),
        week.timed(3, WED, "07:05", "08:50", "Flight to Milan", location="Gate B12"),
        week.timed(3, FRI, "18:20", "20:10", "Flight home", location="Malpensa"),
        week.timed(8, SAT, "06:32", "13:14", "Train to the mountains", location="Platform 7, carriage 12"),
        week.timed(17, THU, "09:40", "12:05", "Flight to Lisbon"),
        week.task(2, MON, "Print the tickets for Milan"),
        week.task(6, SAT, "Wax the skis"),
    ]


def school(week: Week) -> list[Entry]:
    piano = week.weekly(MON, "15:00", "15:45", "Piano, Emil", location="Music school, room 5")
    piano.cancelled = [week.at(-1, MON, "15:00")]
    piano.changed = {week.at(1, MON, "15:00"): {"startTime": "16:00", "endTime": "16:45", "location": "Music school, hall"}}
    tests = [
        week.timed(step, (step * 2) % 5, "08:00", "09:30", f"{subject} test, Ida")
        for step, subject in zip(range(-22, 24, 4), ["Maths", "English", "German", "Biology"] * 3, strict=False)
    ]
    return [
        piano,
        week.weekly(FRI, "13:00", "14:30", "Robotics club, Ida", location="Room 114"),
        week.timed(0, THU, "19:00", "20:30", "Parents' evening, class 4b", location="Room 12"),
        week.timed(4, WED, "16:00", "18:00", "Winter concert of the school", location="Assembly hall"),
        week.stretch(-7, MON, 12, "Autumn holidays"),
        week.stretch(5, WED, 14, "Winter holidays"),
        week.stretch(19, MON, 12, "Easter holidays"),
        week.stretch(13, MON, 5, "School trip to the coast, Ida"),
        week.task(0, TUE, "Museum: six euros for Emil"),
        week.task(1, THU, "Costume for the concert"),
        *tests,
    ]


def house(week: Week) -> list[Entry]:
    stairs = Entry({"kind": "task", "title": "Sweep the stairs", "startDate": str(week.day(-8, SAT)),
                    "recurrence": {"rule": "FREQ=WEEKLY;BYDAY=SA"}})
    stairs.done = [week.at(step, SAT) for step in (-8, -7, -6, -4, -3, -2, -1)]
    plants = Entry({"kind": "task", "title": "Water the courtyard", "startDate": str(week.day(-4, TUE)),
                    "recurrence": {"rule": "FREQ=WEEKLY;BYDAY=TU,FR"}})
    plants.done = [week.at(step, day) for step in (-4, -3, -2, -1) for day in (TUE, FRI)]
    return [
        stairs, plants,
        week.timed(-24, WED, "19:30", "21:00", "House meeting", location="Common room",
                   recurrence={"rule": "FREQ=MONTHLY;BYDAY=1WE"}),
        Entry({"kind": "all-day", "title": "Paper bin", "startDate": str(week.day(PAST, THU)),
               "recurrence": {"rule": "FREQ=WEEKLY;INTERVAL=2;BYDAY=TH"}}),
        Entry({"kind": "all-day", "title": "Rent", "startDate": str(week.day(PAST).replace(day=1)),
               "recurrence": {"rule": "FREQ=MONTHLY;BYMONTHDAY=1"}}),
        week.timed(1, THU, "07:30", "09:00", "Chimney sweep", description="Somebody has to be at home."),
        week.timed(2, SAT, "10:00", "13:00", "Cleaning the cellar, all of us", location="Cellar"),
        week.timed(-6, SAT, "14:00", "18:00", "Painting the bicycle shed", location="Courtyard"),
        week.stretch(-1, MON, 3, "Scaffolding in the courtyard"),
        week.stretch(11, MON, 5, "New heating: workmen in the house"),
        week.task(0, THU, "Read the meters"),
        week.task(0, SUN, "Choose the colour of the front door"),
        week.task(4, FRI, "Empty the gutters"),
    ]


def choir(week: Week) -> list[Entry]:
    rehearsal = week.weekly(TUE, "19:30", "21:30", "Rehearsal", location="St. Mary's, side chapel",
                            description="Voice by voice until 20:15, then together.")
    rehearsal.cancelled = [week.at(-7, TUE, "19:30"), week.at(6, TUE, "19:30")]
    return [
        rehearsal,
        week.timed(3, SAT, "10:00", "16:00", "Rehearsal day", location="Parish hall"),
        week.timed(4, SUN, "17:00", "19:00", "Concert: Vespers", location="St. Mary's", color="#9D174D"),
        week.timed(-18, SUN, "17:00", "19:00", "Summer concert", location="Castle courtyard"),
        week.stretch(15, FRI, 3, "Choir weekend", location="Farmhouse by the lake"),
        week.task(1, TUE, "Learn the Magnificat by heart"),
    ]


def football(week: Week) -> list[Entry]:
    return [
        week.weekly(THU, "20:00", "21:30", "Training", location="Dock field"),
        *(week.timed(step, SUN, "11:00", "13:00", f"Match against {rival}", location="Dock field")
          for step, rival in zip(range(-9, 12, 3), ["the Bakers", "East Quay", "Old Town", "the Teachers"] * 2, strict=False)),
    ]


def film_club(week: Week) -> list[Entry]:
    films = ["Playtime", "Tokyo Story", "The Third Man", "Paris, Texas", "Stalker", "Yi Yi", "Wings of Desire"]
    return [week.timed(step, FRI, "20:00", "22:30", f"Film: {film}", location="Common room")
            for step, film in zip(range(-12, 16, 4), films, strict=True)]


def birthdays(week: Week) -> list[Entry]:
    return [Entry(fields) for fields in special_days.birthdays(week.today)]


def holidays(week: Week) -> list[Entry]:
    return [Entry(fields) for fields in special_days.holidays(week.today)]


BY_CALENDAR = {
    "Family": family, "Studio": studio, "Trips": trips, "School": school, "House": house, "Choir": choir,
    "Birthdays": birthdays, "Holidays": holidays, "Football": football, "Film club": film_club,
}
