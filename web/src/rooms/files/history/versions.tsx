// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Download, Eye, Undo2 } from 'lucide-preact';

import { linkToVersion, listVersions, revertEntry, type FileVersion } from '../../../api/fileHistory';
import type { Library } from '../../../api/files';
import { Button, IconButton } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { renderBytes } from '../../../ui/sizes';
import { Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { save } from '../downloads';
import { withPassword } from '../passwords';
import { nameOf } from '../paths';
import { Preview } from '../preview/preview';
import { renderMoment } from '../when';
import { usePages } from './pages';

/** What a file was: newest first, each to be looked at, saved and restored. */
export function Versions({ library, path, changed }: { library: Library; path: string; changed: () => void }) {
  const told = words.value.files.history;
  const versions = usePages<FileVersion, number>(async (page, signal) => {
    const { versions: items, hasMore } = await listVersions(library.repo_id, path, page ?? 1, signal);
    return { items, next: hasMore ? (page ?? 1) + 1 : null };
  }, [library.repo_id, path]);
  const [viewed, view] = useState<FileVersion | null>(null);
  if (versions.isLoading) {
    return versions.error === null ? <Skeleton lines={6} /> : <Failure error={versions.error} retry={versions.reload} />;
  }
  const restored = () => { versions.reload(); changed(); };
  return (
    <>
      {versions.items.length <= 1 && <p class="muted">{told.oneVersion}</p>}
      <ol class="files-versions">
        {versions.items.map((version, index) => (
          <Version key={`${version.commit_id} ${version.path}`} library={library} path={path} version={version} isNow={index === 0}
            restored={restored} view={() => view(version)} />
        ))}
      </ol>
      {versions.error !== null && <Failure error={versions.error} retry={versions.more} />}
      {versions.hasMore && <Button busy={versions.isAsking} onClick={versions.more}>{words.value.common.loadMore}</Button>}
      {viewed && <Preview onClose={() => view(null)} item={{
        name: nameOf(viewed.path), size: viewed.size, id: viewed.rev_file_id, key: viewed.commit_id,
        note: told.versionFrom(renderMoment(Date.parse(viewed.ctime))),
        link: (signal) => linkTo(library, viewed, signal),
      }} />}
    </>
  );
}

const linkTo = (library: Library, { commit_id: commit, path }: FileVersion, signal?: AbortSignal): Promise<string | null> =>
  withPassword(library.repo_id, () => linkToVersion(library.repo_id, commit, path, signal));

function Version({ library, path, version, isNow, view, restored }: {
  library: Library; path: string; version: FileVersion; isNow: boolean; view: () => void; restored: () => void;
}) {
  const told = words.value.files.history;
  const when = renderMoment(Date.parse(version.ctime));
  const isElsewhere = version.path !== path;
  const restore = async () => {
    const text = told.restoreHint(when) + (isElsewhere ? ` ${told.restoreElsewhereHint(version.path)}` : '');
    if (!await confirm({ title: told.restoreSure, text, deed: told.restore, tone: 'primary' })) return;
    await revertEntry(library.repo_id, 'file', version.path, version.commit_id).then(() => { say(told.versionRestored); restored(); }, sayError);
  };
  const download = () => linkTo(library, version).then((link) => { if (link !== null) save(link); }, sayError);
  return (
    <li class="files-version">
      <div>
        <strong>{when}</strong> {isNow && <span class="badge badge-good">{told.now}</span>}
        <p class="muted">{renderBytes(version.size, language.value)} · {told.by(version.creator_name || version.creator_email)}</p>
        {isElsewhere && <p class="muted">{told.wasAt(version.path)}</p>}
      </div>
      <div class="row">
        <IconButton label={told.view} onClick={view}><Eye /></IconButton>
        <IconButton label={told.download} onClick={() => void download()}><Download /></IconButton>
        {!isNow && library.permission === 'rw' && <IconButton label={told.restore} onClick={() => void restore()}><Undo2 /></IconButton>}
      </div>
    </li>
  );
}
