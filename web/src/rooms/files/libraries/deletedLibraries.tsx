// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ChevronLeft, Trash2 } from 'lucide-preact';
import { Link } from 'wouter-preact';

import { eraseLibrary, listDeletedLibraries, restoreLibrary, type DeletedLibrary } from '../../../api/files';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { say, sayError } from '../../../ui/toast';
import { language, words } from '../../../words';
import { renderMoment } from '../when';

/** Libraries in the trash. */
export function DeletedLibraries() {
  const told = words.value.files.libraries;
  const deleted = useLoaded(listDeletedLibraries, []);
  return (
    <div class="page">
      <Link href="/files" class="files-back"><ChevronLeft />{words.value.files.toLibraries}</Link>
      <header class="page-head"><h1>{told.deletedTitle}</h1></header>
      <Content deleted={deleted.value} error={deleted.error} reload={deleted.reload} />
    </div>
  );
}

function Content({ deleted, error, reload }: { deleted: DeletedLibrary[] | undefined; error: unknown; reload: () => void }) {
  const told = words.value.files.libraries;
  if (deleted === undefined) {
    return error === null ? <Skeleton lines={4} /> : <Failure error={error} retry={reload} />;
  }
  if (deleted.length === 0) {
    return <EmptyState icon={<Trash2 />} title={told.deletedEmpty}><p>{told.deletedEmptyHint}</p></EmptyState>;
  }
  return <ul class="files-libraries">{deleted.map((library) => <Deleted key={library.repo_id} library={library} changed={reload} />)}</ul>;
}

function Deleted({ library: { repo_id: id, repo_name: name, size, del_time }, changed }: { library: DeletedLibrary; changed: () => void }) {
  const told = words.value.files.libraries;
  const restore = () => restoreLibrary(id).then(() => { say(told.restored(name)); changed(); }, sayError);
  const erase = async () => {
    if (await confirm({ title: told.eraseSure(name), text: told.eraseHint, deed: told.erase })) {
      await eraseLibrary(id).then(() => { say(told.erased(name)); changed(); }, sayError);
    }
  };
  return (
    <li class="card files-library">
      <span class="files-library-icon" aria-hidden="true"><Trash2 /></span>
      <div class="files-library-text">
        <strong>{name}</strong>
        <p class="muted files-library-facts">
          <span>{renderBytes(size, language.value)}</span><span>{told.deletedOn(renderMoment(Date.parse(del_time)))}</span>
        </p>
      </div>
      <div class="row row-wrap">
        <Button onClick={() => void restore()}>{told.restore}</Button>
        <Button tone="danger" onClick={() => void erase()}>{told.erase}</Button>
      </div>
    </li>
  );
}
