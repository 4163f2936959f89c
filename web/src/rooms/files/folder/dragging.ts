// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// Entries that are dragged within the page, in contrast to files that come from outside.
const KIND = 'application/x-atrium-entries';

export function beginDrag(event: DragEvent, names: readonly string[]): void {
  event.dataTransfer?.setData(KIND, JSON.stringify(names));
  if (event.dataTransfer) event.dataTransfer.effectAllowed = 'move';
}

export const dragsEntries = (event: DragEvent): boolean => event.dataTransfer?.types.includes(KIND) ?? false;
export const dragsFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') ?? false;

/** What makes an element a place where entries can be dropped. */
export function dropTarget(drop: () => void) {
  const mark = (event: DragEvent, over: boolean) => (event.currentTarget as Element).classList.toggle('files-drop', over);
  return {
    onDragOver: (event: DragEvent) => {
      if (!dragsEntries(event)) return;
      event.preventDefault();
      mark(event, true);
    },
    onDragLeave: (event: DragEvent) => { mark(event, false); },
    onDrop: (event: DragEvent) => {
      mark(event, false);
      if (!dragsEntries(event)) return;
      event.preventDefault();
      drop();
    },
  };
}
