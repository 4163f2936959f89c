// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';

import { ApiError } from '../../../api/client';
import { useKeptDraft } from '../../../shell/drafts';
import { messageOf } from '../../../ui/errors';
import { words } from '../../../words';
import { mistakeIn, newDraft, refusedField, type Draft, type DraftField } from './draft';

/** What is kept of a sheet that was left without saving. */
export interface KeptEntry {
  /** What the draft was made from. */
  base: Draft;
  draft: Draft;
  /** The version of the entry it was made from; null for a new one. */
  etag: string | null;
}

/** What is kept of an entry that is yet to be made. */
export interface KeptNew {
  /** Who typed it. */
  owner: string;
  place: string;
  entry: KeptEntry;
}

const SHAPE = newDraft({}, 'UTC', '2026-01-01');
const isDraft = (value: unknown): value is Draft => typeof value === 'object' && value !== null
  && Object.entries(SHAPE).every(([field, sample]) => typeof (value as Record<string, unknown>)[field] === typeof sample);

export function isKeptEntry(typed: unknown): typed is KeptEntry {
  const { base, draft, etag } = (typed ?? {}) as Partial<KeptEntry>;
  return isDraft(base) && isDraft(draft) && (etag === null || typeof etag === 'string');
}

/** Where the drafts of entries are kept. */
export const ENTRY_PLACES = 'entry/';
export const placeOfNew = (): string => `${ENTRY_PLACES}new/${Math.random().toString(36).slice(2)}`;
export const placeOfEntry = (id: string, occurrence: string | null): string => `${ENTRY_PLACES}of/${id}/${occurrence ?? ''}`;

/** The entry whose draft is kept at a place; null for one that is yet to be made. */
export function entryAt(place: string): { id: string; occurrence: string | null } | null {
  const found = /^entry\/of\/([^/]+)\/(.*)$/.exec(place);
  return found === null ? null : { id: found[1]!, occurrence: found[2] || null };
}

/** What is wrong, and where. */
export type Trouble = { field: DraftField | null; text: string };

function troubleOf(error: unknown): Trouble {
  const named = error instanceof ApiError && error.status === 400 ? refusedField(error.message) : null;
  return named ?? { field: null, text: messageOf(error) };
}

interface Start {
  place: string;
  base: Draft;
  etag: string | null;
  /** What was typed before the page was left. */
  kept: KeptEntry | null;
}

/** A draft that is being typed, with what is wrong about it. */
export function useTyping(start: Start) {
  const [base, setBase] = useState(start.kept?.base ?? start.base);
  const [draft, setDraft] = useState(start.kept?.draft ?? start.base);
  const [isRestored, setRestored] = useState(start.kept !== null);
  const [trouble, setTrouble] = useState<Trouble | null>(null);
  const [busy, setBusy] = useState(false);
  const submit = async (deed: () => Promise<void>) => {
    const mistake = mistakeIn(draft);
    if (mistake !== null) {
      setTrouble({ field: mistake.field, text: words.value.calendar.sheet[mistake.reason] });
      return;
    }
    setBusy(true);
    setTrouble(null);
    try {
      await deed();
    } catch (error) {
      setTrouble(troubleOf(error));
    }
    setBusy(false);
  };
  const isDirty = JSON.stringify(base) !== JSON.stringify(draft);
  const kept: KeptEntry = { base, draft, etag: start.etag };
  const { forget } = useKeptDraft(start.place, kept, { isDirty, isRestored: start.kept !== null });
  return {
    base, draft, busy, trouble, submit, isDirty, isRestored, forget,
    change: (next: Draft) => { setDraft(next); setTrouble(null); },
    reset: (next: Draft) => { setBase(next); setDraft(next); setTrouble(null); setRestored(false); },
    errorOf: (field: DraftField) => (trouble?.field === field ? trouble.text : null),
  };
}
