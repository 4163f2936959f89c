// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
const HUES = 12;

function hueOf(text: string): number {
  let sum = 0;
  for (const letter of text) {
    sum = (sum * 31 + letter.codePointAt(0)!) % 9973;
  }
  return sum % HUES;
}

function initials(name: string): string {
  const parts = name.replace(/@.*/, '').split(/[\s._-]+/).filter((part) => part !== '');
  return ((parts[0]?.[0] ?? '?') + (parts.length > 1 ? parts[parts.length - 1]![0]! : '')).toUpperCase();
}

/** A person in a circle: the photo when there is one, else the initials on a colour that stays the same. The letters are
    drawn by the style sheet: they are a picture, and no text that a button with a name would have to contain. */
export function Avatar({ name, photo, size = 'medium' }: { name: string; photo?: string | null; size?: 'small' | 'medium' | 'large' }) {
  return photo
    ? <img class={`avatar avatar-${size}`} src={photo} alt="" />
    : <span class={`avatar avatar-${size} hue-${hueOf(name)}`} aria-hidden="true" data-initials={initials(name)} />;
}
