// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { ImageUp, Trash2 } from 'lucide-preact';

import { putPhoto, removePhoto } from '../../../api/account';
import { photoOf, type Person } from '../../../api/me';
import { refreshMe } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Avatar } from '../../../ui/avatar';
import { Button } from '../../../ui/button';
import { Dialog } from '../../../ui/dialog';
import { Refusal } from '../../../ui/refusal';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { drawPhoto, encodePhoto } from './photo';

export function PhotoField({ user }: { user: Person }) {
  const told = words.value.account.about;
  const [chosen, setChosen] = useState<File | null>(null);
  const [isOver, setIsOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  const remove = async () => {
    try {
      await removePhoto();
      await refreshMe();
      say(told.photoRemoved);
    } catch (error) {
      sayError(error);
    }
  };
  const dropped = (event: DragEvent) => {
    event.preventDefault();
    setIsOver(false);
    setChosen(event.dataTransfer?.files[0] ?? null);
  };
  return (
    <div class={`account-photo ${isOver ? 'account-photo-over' : ''}`} onDrop={dropped} onDragLeave={() => setIsOver(false)}
      onDragOver={(event) => { event.preventDefault(); setIsOver(true); }}>
      <Avatar name={user.name || user.email} photo={photoOf(user)} size="large" />
      <div>
        <div class="row row-wrap">
          <Button onClick={() => input.current?.click()}><ImageUp />{user.photo ? told.otherPhoto : told.choosePhoto}</Button>
          {user.photo && <Button tone="quiet" onClick={() => void remove()}><Trash2 />{told.removePhoto}</Button>}
        </div>
        <small class="hint">{told.photoHint} <span class="account-drop">{told.photoDrop}</span></small>
      </div>
      <input ref={input} type="file" accept="image/*" class="visually-hidden" tabIndex={-1} aria-label={told.choosePhoto}
        onChange={(event) => { setChosen(event.currentTarget.files?.[0] ?? null); event.currentTarget.value = ''; }} />
      {chosen !== null && <PhotoDialog file={chosen} close={() => setChosen(null)} />}
    </div>
  );
}

/** Shows what will be seen before it is. */
function PhotoDialog({ file, close }: { file: File; close: () => void }) {
  const told = words.value.account.about;
  const canvas = useRef<HTMLCanvasElement>(null);
  const [isReadable, setIsReadable] = useState<boolean | null>(null);
  useEffect(() => {
    drawPhoto(file, canvas.current!).then(() => setIsReadable(true), () => setIsReadable(false));
  }, [file]);
  const attempt = useAttempt(async () => {
    const photo = await encodePhoto(canvas.current!);
    if (photo === null) {
      throw new Error(told.photoTooLarge);
    }
    await putPhoto(photo);
    await refreshMe();
    close();
    say(words.value.account.saved);
  });
  return (
    <Dialog title={told.photoTitle} onClose={close} actions={<>
      <Button onClick={close}>{words.value.common.cancel}</Button>
      <Button tone="primary" busy={attempt.busy} disabled={isReadable !== true} onClick={attempt.run}>{told.photoUse}</Button>
    </>}>
      <Refusal attempt={attempt} />
      {isReadable === false && <div class="notice notice-bad" role="alert">{told.photoUnreadable}</div>}
      <canvas ref={canvas} class="account-photo-preview" role="img" aria-label={told.photoPreview} hidden={isReadable === false} />
    </Dialog>
  );
}
