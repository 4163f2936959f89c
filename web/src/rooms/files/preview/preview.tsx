// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import { ChevronLeft, ChevronRight, Download, X } from 'lucide-preact';

import { IconButton } from '../../../ui/button';
import { renderBytes } from '../../../ui/sizes';
import { sayError, showToastsIn, Toasts } from '../../../ui/toast';
import { language, words } from '../../../words';
import { save } from '../downloads';
import { EntryIcon } from '../icons';
import { Stage, type Guard, type PreviewItem } from './stage';

interface PreviewProps {
  item: PreviewItem;
  onClose: () => void;
  /** Where there are more: which of them this is, and how to get to the others. */
  position?: { index: number; count: number; go: (steps: number) => void };
  /** Further buttons. They leave the file by `leave`, which asks first when there is something unsaved. */
  actions?: (leave: (deed: () => void) => void) => ComponentChildren;
}

/** A file over the whole window. Arrow keys go to the files beside it, Escape closes it. */
export function Preview({ item, onClose, position, actions }: PreviewProps) {
  const told = words.value.files.preview;
  const element = useRef<HTMLDialogElement>(null);
  const guard: Guard = useRef(null);
  const leave = (deed: () => void) => {
    if (guard.current === null) deed();
    else void guard.current().then((may) => { if (may) deed(); });
  };
  const close = () => leave(onClose);
  const go = (steps: number) => leave(() => position?.go(steps));
  const latest = useRef(close);
  latest.current = close;
  const messages = useRef(Symbol());
  useEffect(() => {
    const dialog = element.current!;
    const asked = (event: Event) => { event.preventDefault(); latest.current(); };
    dialog.addEventListener('cancel', asked);
    dialog.showModal();
    dialog.focus();
    const endMessages = showToastsIn(messages.current);
    return () => {
      endMessages();
      dialog.removeEventListener('cancel', asked);
      dialog.close();
    };
  }, []);
  const walk = (event: KeyboardEvent) => {
    const steps: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };
    // Fields and players have their own use for arrows.
    if (event.key in steps && !(event.target as Element).closest('input, textarea, video, audio, iframe, [role=group]')) {
      event.preventDefault();
      go(steps[event.key]!);
    }
  };
  const download = () => { item.link(new AbortController().signal).then((link) => { if (link !== null) save(link); }, sayError); };
  return (
    <dialog ref={element} class="files-preview" tabIndex={-1} aria-label={told.preview(item.name)} onKeyDown={walk}>
      <header class="files-preview-head">
        <EntryIcon name={item.name} isFolder={false} />
        <div class="files-preview-title">
          <h2>{item.name}</h2>
          <span class="muted">
            {item.note && <>{item.note} · </>}{renderBytes(item.size, language.value)}
            {position && position.count > 1 && <> · {told.position(position.index + 1, position.count)}</>}
          </span>
        </div>
        {actions?.(leave)}
        <IconButton label={words.value.files.download} onClick={download}><Download /></IconButton>
        <IconButton label={told.close} onClick={close}><X /></IconButton>
      </header>
      <div class="files-preview-stage">
        {position && position.count > 1 && (
          <IconButton class="files-preview-step" label={told.previous} onClick={() => go(-1)}><ChevronLeft /></IconButton>
        )}
        <Stage key={item.key} item={item} download={download} guard={guard} />
        {position && position.count > 1 && (
          <IconButton class="files-preview-step files-preview-next" label={told.next} onClick={() => go(1)}><ChevronRight /></IconButton>
        )}
      </div>
      <Toasts dialog={messages.current} />
    </dialog>
  );
}
