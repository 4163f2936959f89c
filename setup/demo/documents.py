# SPDX-FileCopyrightText: The Atrium authors
# SPDX-License-Identifier: Apache-2.0
"""What people have written: notes, lists, tables. Where there are several texts, they are versions, oldest first."""

BRIEF = ["""# Harbour pavilion

A room by the water for readings, markets and weddings.

- 120 seats, a small kitchen, a place for coats
- opens towards the quay in summer
""", """# Harbour pavilion

A room by the water for readings, markets and weddings. The city owns the ground, the association runs the house.

- 120 seats, a small kitchen, a place for coats
- opens towards the quay in summer
- timber, on the old foundations of the crane
""", """# Harbour pavilion

A room by the water for readings, markets and weddings. The city owns the ground, the association runs the house.

## What it needs

- 140 seats, a small kitchen, a place for coats
- opens towards the quay in summer
- timber, on the old foundations of the crane
- no step anywhere

## When

| what | until |
|---|---|
| design | spring |
| permit | summer |
| topping out | autumn of next year |

> The light should come in from the north, and the people from the south.
"""]

BUDGET_LINES = [
    ("Foundations", 48000), ("Timber frame", 126500), ("Roof", 64200), ("Glass front", 71900), ("Kitchen", 23800),
    ("Heating and air", 52300), ("Electricity", 31700), ("Floors", 27400), ("Outside", 38600),
]


def budget(raised_percent: list[int]) -> str:
    """A table of what things cost, some of them more by now."""
    rows = [f"{name},{round(amount * (100 + raised) / 100)}\n"
            for (name, amount), raised in zip(BUDGET_LINES, raised_percent, strict=True)]
    return "item,euro\n" + "".join(rows)


BUDGETS = [budget([0] * 9), budget([0, 4, 0, 7, 0, 0, 0, 0, 0]), budget([3, 4, 0, 9, 0, 5, 0, 0, 0]),
           budget([3, 6, 2, 9, -10, 5, 0, 1, 0])]

MINUTES = {
    "Kick-off.md": """# Kick-off

**There:** Alex, Mira, Teo, Sam (by video)

1. The brief is agreed. Mira writes it down.
2. Sam looks at the old foundations first; everything hangs on them.
3. Teo makes a model, 1:50, until the next review.

- [x] ask the harbour office for drawings of the crane
- [ ] photograph the quay wall at low water
""",
    "Foundations.md": """# Foundations

Sam has been down. The piles are sound, the ring beam is not.

- new ring beam, reinforced, 60 cm
- the crane rails stay where they are: they become the edge of the terrace
""",
    "Fire safety.md": """# Fire safety

Second way out on the west side, 1.20 m wide, doors open outwards. No sprinklers if the ceiling stays below 6 m.

Next: drawings to the authority, **two sets on paper**.
""",
}

MATERIALS = """material,supplier,price per unit,unit,weeks
Glued laminated timber,Holz Petersen,684,m³,6
Larch boards 27 mm,Holz Petersen,41,m²,4
Triple glazing,Glas Nord,212,m²,9
Slate,Dach & Fach,58,m²,3
Lime plaster,Kalkwerk,14,m²,2
Cork floor,Korkhandel,36,m²,3
"""

LETTER_TEMPLATE = """Harbour Street Studio
Quay 9

Dear ...,

thank you for your letter of ... We have looked at it, and suggest the following:

With kind regards
"""

RECIPES = {
    "Apple cake.md": ["""# Apple cake

Four apples, 200 g flour, 150 g sugar, 125 g butter, three eggs.

Bake at 180 °C for 40 minutes.
""", """# Apple cake

From grandma, on a page out of a calendar.

- 4 sour apples
- 200 g flour, a spoon of baking powder
- 120 g sugar (it was 150, that is too sweet)
- 125 g butter
- 3 eggs, a lemon

Stir butter, sugar and eggs for ten minutes, really ten. Flour. Apples on top, close together. 180 °C, 45 minutes.
"""],
    "Bread.md": ["""# Bread for two days

| | g |
|---|---|
| rye | 300 |
| wheat | 200 |
| water | 380 |
| salt | 11 |
| sourdough | 120 |

Mix in the evening, fold twice, shape in the morning. 250 °C, then 210 °C, an hour in all.
"""],
    "Dal.md": ["""# Priya's dal

Red lentils, turmeric, water: twenty minutes. Cumin, mustard seeds and garlic in hot butter, over it. Lemon. Done.
"""],
}

PACKING = """Skiing, what we forgot last time:

sun cream
the small screwdriver
a second pair of gloves each
cards
"""

HOUSE_RULES = """# House rules

1. Whoever comes home last locks the gate.
2. Quiet after ten, but for birthdays.
3. The workshop belongs to everybody; so does the broom in it.
4. Bicycles stand in the shed, not in the passage.
"""

METERS = "date,water m³,heating kWh,electricity kWh\n" + "".join(
    f"month {month},{210 + month * 9},{4100 + month * month * 37},{1800 + month * 141}\n" for month in range(1, 13))

INSURANCE = ["Household insurance", "Harbour Street, Quay 9", "", "Insured: everything that falls out when the house is turned over.",
             "Sum insured: 85,000 euro. Own share: 150 euro.", "", "Bicycles are covered at night, too, when they are locked.",
             "The contract runs on for a year unless one of us says otherwise."]
INVOICE = ["Invoice 2041", "Holz Petersen, timber yard", "", "12 m³ of glued laminated timber    8,208.00 euro",
           "Delivery to the quay                  240.00 euro", "", "Payable within 30 days. Thank you for building with wood."]
TAX = ["Tax assessment", "For Alex Brandt", "", "To be paid back to you: 412.60 euro.", "Keep this letter for ten years."]

TUNES = {
    "Rehearsal, alto.wav": [(7, 0.5), (9, 0.5), (11, 0.5), (12, 1.0), (11, 0.5), (9, 0.5), (7, 1.2)],
    "Rehearsal, soprano.wav": [(12, 0.5), (14, 0.5), (16, 0.5), (19, 1.0), (16, 0.5), (14, 0.5), (12, 1.2)],
}
