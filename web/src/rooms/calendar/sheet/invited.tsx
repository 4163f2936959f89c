// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Link, UserRound, UsersRound } from 'lucide-preact';

import type { Attendee, Entry } from '../../../api/entries';
import { words } from '../../../words';
import { Line } from './line';
import { personText } from './person';

/** An address that a page may lead to; null for everything else, whatever the server says. */
export function webAddress(text: string | null | undefined): string | null {
  try {
    const url = new URL(text ?? '');
    return url.protocol === 'http:' || url.protocol === 'https:' ? url.href : null;
  } catch {
    return null;
  }
}

function AttendeeRow({ attendee }: { attendee: Attendee }) {
  const told = words.value.calendar.invited;
  const said = [
    told.statuses[attendee.status ?? 'needs-action'],
    attendee.role === 'chair' || attendee.role === 'opt-participant' || attendee.role === 'non-participant' ? told.roles[attendee.role] : '',
    attendee.kind === 'room' || attendee.kind === 'resource' || attendee.kind === 'group' ? told.kinds[attendee.kind] : '',
  ].filter((text) => text !== '');
  return <li>{personText(attendee)} <span class="muted">· {said.join(', ')}</span></li>;
}

/** What the file or the feed says of an entry that came from there, and nobody changes here. */
export function Invited({ entry }: { entry: Entry }) {
  const told = words.value.calendar.invited;
  const address = webAddress(entry.url);
  const attendees = entry.attendees ?? [];
  return (
    <>
      {entry.url && (
        <Line icon={Link} label={told.url}>
          {address === null ? entry.url : <a href={address} target="_blank" rel="noopener noreferrer">{entry.url}</a>}
        </Line>
      )}
      {entry.organizer && <Line icon={UserRound} label={told.organizer}>{personText(entry.organizer)}</Line>}
      {attendees.length > 0 && (
        <Line icon={UsersRound} label={told.attendees}>
          <ul class="calendar-attendees" aria-label={told.attendees}>
            {attendees.map((attendee, index) => <AttendeeRow key={index} attendee={attendee} />)}
          </ul>
        </Line>
      )}
    </>
  );
}
