// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { Upload } from 'lucide-preact';

import { sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { pickedFromDrop, type Picked } from '../uploads/picked';
import { dragsFiles } from './dragging';

interface DropZoneProps {
  /** Where it would go. */
  name: string;
  enabled: boolean;
  drop: (picked: Picked) => void;
  children: ComponentChildren;
}

/** Takes files and folders from outside, wherever in the window they are dropped. */
export function DropZone({ name, enabled, drop, children }: DropZoneProps) {
  const [isOver, setOver] = useState(false);
  const latest = useRef({ enabled, drop });
  latest.current = { enabled, drop };
  useEffect(() => {
    const over = (event: DragEvent) => {
      if (!dragsFiles(event)) return;
      // Also where they are not taken: the browser would leave the page and open them.
      event.preventDefault();
      event.dataTransfer!.dropEffect = latest.current.enabled ? 'copy' : 'none';
      setOver(latest.current.enabled);
    };
    const leave = (event: DragEvent) => { if (event.relatedTarget === null) setOver(false); };
    const dropped = (event: DragEvent) => {
      if (!dragsFiles(event)) return;
      event.preventDefault();
      setOver(false);
      if (latest.current.enabled) pickedFromDrop(event.dataTransfer!.items).then((picked) => latest.current.drop(picked), sayError);
    };
    window.addEventListener('dragover', over);
    window.addEventListener('dragleave', leave);
    window.addEventListener('drop', dropped);
    return () => {
      window.removeEventListener('dragover', over);
      window.removeEventListener('dragleave', leave);
      window.removeEventListener('drop', dropped);
    };
  }, []);
  return (
    <>
      {children}
      {isOver && <div class="files-dropping" role="status"><Upload /><span>{words.value.files.dropHere(name)}</span></div>}
    </>
  );
}
