// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link, useLocation } from 'wouter-preact';

import { listChanges, listStates, revertLibrary, type LibraryState, type StateChanges } from '../../../api/fileHistory';
import type { Library } from '../../../api/files';
import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { forgetListings } from '../folder/listing';
import { isOwn } from '../libraries/libraryCard';
import { pageOf, ROOT } from '../paths';
import { renderMoment } from '../when';
import { usePages } from './pages';
import { describeState } from './stateTexts';
import { stateSearch } from './stateView';
import { SubpageHead } from './subpageHead';

/** All states of a library, newest first. */
export function LibraryHistory({ library, turn }: { library: Library; turn: number }) {
  const told = words.value.files.history;
  const states = usePages<LibraryState, number>(async (page, signal) => {
    const { data, more } = await listStates(library.repo_id, page ?? 1, signal);
    return { items: data, next: more ? (page ?? 1) + 1 : null };
  }, [library.repo_id, turn]);
  return (
    <div class="page files-page">
      <SubpageHead library={library} title={told.title(library.repo_name)} />
      <p class="muted">{told.hint}</p>
      {states.isLoading && (states.error === null ? <Skeleton lines={8} /> : <Failure error={states.error} retry={states.reload} />)}
      <ol class="files-states">
        {states.items.map((state, index) => <State key={state.commit_id} library={library} state={state} isNow={index === 0} />)}
      </ol>
      {!states.isLoading && states.error !== null && <Failure error={states.error} retry={states.more} />}
      {states.hasMore && <Button busy={states.isAsking} onClick={states.more}>{words.value.common.loadMore}</Button>}
    </div>
  );
}

function State({ library, state, isNow }: { library: Library; state: LibraryState; isNow: boolean }) {
  const told = words.value.files.history;
  const [, go] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const when = renderMoment(Date.parse(state.time));
  const page = pageOf({ library: library.repo_id, path: ROOT });
  const revert = async () => {
    if (!await confirm({ title: told.revertSure(when), text: told.revertHint, deed: told.revertDeed, tone: 'primary' })) return;
    try {
      await revertLibrary(library.repo_id, state.commit_id);
      forgetListings(library.repo_id);
      say(told.reverted);
      go(page);
    } catch (error) {
      sayError(error);
    }
  };
  const who = state.name || state.email;
  return (
    <li class="card files-state">
      <Avatar name={who} size="small" />
      <div class="files-state-text">
        <strong>{describeState(state.description, told.deeds)}</strong> {isNow && <span class="badge badge-good">{told.current}</span>}
        <p class="muted">{when} · {told.by(who)}</p>
        <div class="row row-wrap files-state-deeds">
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>{isOpen ? told.hideChanges : told.showChanges}</Button>
          {!isNow && <Link href={page + stateSearch(state.commit_id, Date.parse(state.time))} class="button">{told.browse}</Link>}
          {!isNow && isOwn(library) && library.permission === 'rw' && <Button onClick={() => void revert()}>{told.revert}</Button>}
        </div>
        {isOpen && <Changes library={library.repo_id} commit={state.commit_id} />}
      </div>
    </li>
  );
}

const KINDS = ['new', 'modified', 'renamed', 'removed', 'newdir', 'deldir'] as const;

function Changes({ library, commit }: { library: string; commit: string }) {
  const told = words.value.files.history;
  const changes = useLoaded((signal) => listChanges(library, commit, signal), [library, commit]);
  if (changes.value === undefined) {
    return changes.error === null ? <Skeleton lines={3} /> : <Failure error={changes.error} retry={changes.reload} />;
  }
  const found: StateChanges = changes.value;
  const kinds = KINDS.filter((kind) => found[kind].length > 0);
  return (
    <div class="files-changes">
      {kinds.length === 0 && <p class="muted">{told.nothingChanged}</p>}
      {kinds.map((kind) => (
        <section key={kind}>
          <h2>{told.kinds[kind]}</h2>
          <ul>{found[kind].map((path) => <li key={path}>{path.replace(' -> ', ' → ')}</li>)}</ul>
        </section>
      ))}
      {found.more && <p class="muted">{told.moreChanges}</p>}
    </div>
  );
}
