// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Puts the text on the clipboard; false when the browser refuses. Without encryption browsers hide the clipboard, and only what is
 * selected in a field can be copied; in a dialog that must be a field of its own, so `near` says where.
 */
export async function copyText(text: string, near: Element): Promise<boolean> {
  try {
    if (navigator.clipboard) {
      await navigator.clipboard.writeText(text);
      return true;
    }
  } catch {
    // Refused: the other way may still do.
  }
  const field = document.createElement('textarea');
  field.value = text;
  field.className = 'visually-hidden';
  (near.closest('dialog') ?? document.body).append(field);
  field.select();
  const copied = document.execCommand('copy');
  field.remove();
  return copied;
}
