// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { MailCheck, MailWarning, Send, Trash2 } from 'lucide-preact';

import { dropLetter, listLetters, retryLetter, type DeadLetter } from '../../../api/letters';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { usePaged } from '../paged';
import { Ago, PageHead } from '../parts';

interface Deeds {
  retry: (letter: DeadLetter) => Promise<void>;
  drop: (letter: DeadLetter) => Promise<void>;
}

/** Letters that could not be sent, to be sent again or dropped. */
export function Letters() {
  const told = words.value.admin.letters;
  const letters = usePaged<DeadLetter, string>(async (after, signal) => {
    const page = await listLetters(after, signal);
    return { items: page.items, cursor: page.after };
  }, []);
  const perform = async (deed: () => Promise<void>, done: string) => {
    try {
      await deed();
      say(done);
    } catch (error) {
      sayError(error);
    }
    letters.reload();
  };
  const deeds: Deeds = {
    retry: (letter) => perform(() => retryLetter(letter.id), told.retried(letter.to)),
    drop: async (letter) => {
      if (await confirm({ title: told.dropTitle(letter.to), text: told.dropText, deed: told.drop })) {
        await perform(() => dropLetter(letter.id), told.dropped(letter.to));
      }
    },
  };
  return (
    <>
      <PageHead title={words.value.admin.pages.letters} hint={told.hint} />
      {letters.error !== null && <Failure error={letters.error} retry={letters.reload} />}
      {letters.items === undefined && letters.error === null && <Skeleton lines={4} />}
      {letters.items && letters.items.length > 0 && (
        <ul class="card admin-rows">{letters.items.map((one) => <LetterRow key={one.id} letter={one} deeds={deeds} />)}</ul>
      )}
      {letters.items?.length === 0 && !letters.busy && <EmptyState icon={<MailCheck />} title={told.none}><p>{told.noneHint}</p></EmptyState>}
      {letters.hasMore && <Button busy={letters.busy} onClick={letters.loadMore}>{words.value.common.loadMore}</Button>}
    </>
  );
}

function LetterRow({ letter, deeds }: { letter: DeadLetter; deeds: Deeds }) {
  const told = words.value.admin.letters;
  return (
    <li>
      <div class="admin-row">
        <span class="admin-row-icon" aria-hidden="true"><MailWarning /></span>
        <span class="admin-row-main">
          <strong>{letter.to}</strong>
          <small>{letter.subject} · <Ago at={letter.queued_at} /></small>
          <small>{letter.last_error}</small>
        </span>
        <span class="admin-row-end">
          <Button aria-label={told.retryTo(letter.to)} onClick={() => void deeds.retry(letter)}><Send />{told.retry}</Button>
          <Button aria-label={told.dropTo(letter.to)} onClick={() => void deeds.drop(letter)}><Trash2 />{told.drop}</Button>
        </span>
      </div>
    </li>
  );
}
