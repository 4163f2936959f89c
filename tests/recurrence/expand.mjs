// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Reads questions, a JSON document on each line: {"rule", "start", "before"}. Answers each with what the package rrule
// finds from the start on, up to `before`: a JSON array of local times. Local times are taken for UTC here, where no clock
// is ever changed.
import readline from "node:readline";

import rrule from "rrule";

function asDate(local) {
  return new Date(`${local}Z`);
}

function starts({ rule, start, before }) {
  const end = asDate(before);
  const options = { ...rrule.RRule.parseString(rule), dtstart: asDate(start) };
  const found = new rrule.RRule(options).all((date) => date < end);
  return found.filter((date) => date < end).map((date) => date.toISOString().slice(0, 19));
}

for await (const line of readline.createInterface({ input: process.stdin })) {
  process.stdout.write(`${JSON.stringify(starts(JSON.parse(line)))}\n`);
}
