// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { signal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';

/** What was told last of the members of a calendar. */
export const memberNews = signal<{ calendarId: string } | null>(null);

/** Called by who listens to the server. */
export const tellMembersChanged = (calendarId: string): void => {
  memberNews.value = { calendarId };
};

/** Runs when somebody else has changed who shares this calendar. */
export function useMemberNews(calendarId: string, run: () => void): void {
  const latest = useRef(run);
  latest.current = run;
  const news = memberNews.value;
  useEffect(() => { if (news?.calendarId === calendarId) latest.current(); }, [news]);
}
