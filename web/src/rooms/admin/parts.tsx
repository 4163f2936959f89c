// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useId, useState } from 'preact/hooks';

import { homeZone } from '../../shell/session';
import { renderAgo } from '../../ui/ago';
import { Button } from '../../ui/button';
import { Dialog } from '../../ui/dialog';
import { Failure, Skeleton } from '../../ui/states';
import { TextField } from '../../ui/field';
import type { Loaded } from '../../ui/loaded';
import { useAttempt } from '../../ui/attempt';
import { Refusal } from '../../ui/refusal';
import { locale, words } from '../../words';

/** The head of a page, with what can be done there. */
export function PageHead({ title, hint, children }: { title: string; hint?: string; children?: ComponentChildren }) {
  return (
    <header class="admin-head">
      <div class="page-head"><h1>{title}</h1>{children}</div>
      {hint && <p class="muted">{hint}</p>}
    </header>
  );
}

/** One matter on a page. */
export function Section({ title, hint, beside, children }: {
  title: string; hint?: string; beside?: ComponentChildren; children?: ComponentChildren;
}) {
  const id = useId();
  return (
    <section class="card admin-section" aria-labelledby={id}>
      <header class="row spread row-wrap"><h2 id={id}>{title}</h2>{beside}</header>
      {hint && <p class="muted">{hint}</p>}
      {children}
    </section>
  );
}

/** What was loaded, or what stands there until then. What was shown before stays when asking again fails. */
export function Shown<T>({ loaded, lines = 5, children }: { loaded: Loaded<T>; lines?: number; children: (value: T) => ComponentChildren }) {
  return (
    <>
      {loaded.error !== null && <Failure error={loaded.error} retry={loaded.reload} />}
      {loaded.value !== undefined ? children(loaded.value) : loaded.error === null && <Skeleton lines={lines} />}
    </>
  );
}

export const renderMoment = (instant: string): string =>
  new Intl.DateTimeFormat(locale.value, { dateStyle: 'medium', timeStyle: 'short', timeZone: homeZone.value }).format(new Date(instant));

/** A moment in the past, near to how people say it; the exact one is its title. */
export function Ago({ at }: { at: string }) {
  return <time dateTime={at} title={renderMoment(at)}>{renderAgo(at, locale.value)}</time>;
}

export const renderCount = (count: number): string => new Intl.NumberFormat(locale.value).format(count);

/** Asks again every so often, while somebody looks. */
export function useRefreshing(reload: () => void, milliseconds: number): void {
  useEffect(() => {
    const timer = window.setInterval(() => { if (!document.hidden) reload(); }, milliseconds);
    return () => window.clearInterval(timer);
  }, [reload, milliseconds]);
}

/** What was typed, once nobody has typed for a moment. */
export function useSettled(typed: string, milliseconds = 250): string {
  const [settled, setSettled] = useState(typed);
  useEffect(() => {
    const timer = window.setTimeout(() => setSettled(typed), milliseconds);
    return () => window.clearTimeout(timer);
  }, [typed, milliseconds]);
  return settled;
}

/** Asks for what cannot be undone at all: the name must be typed. */
export function TypedConfirmation({ title, text, expected, deed, run, onClose }: {
  title: string; text: string; expected: string; deed: string; run: () => Promise<void>; onClose: () => void;
}) {
  const told = words.value.admin;
  const [typed, setTyped] = useState('');
  const attempt = useAttempt(run);
  const formId = useId();
  return (
    <Dialog title={title} onClose={onClose} actions={<>
      <Button onClick={onClose}>{words.value.common.cancel}</Button>
      <Button tone="danger" type="submit" form={formId} disabled={typed.trim() !== expected} busy={attempt.busy}>{deed}</Button>
    </>}>
      <form id={formId} onSubmit={attempt.run}>
        <p>{text}</p>
        <TextField label={told.typeToConfirm(expected)} value={typed} onValue={setTyped} autocomplete="off" spellcheck={false} autofocus />
        <Refusal attempt={attempt} />
      </form>
    </Dialog>
  );
}
