// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { Check, Copy } from 'lucide-preact';

import { IconButton } from '../../../ui/button';
import { words } from '../../../words';

const SHOWN_MS = 2000;

/** A text to be pasted elsewhere, with a button that copies it. `name` says what it is. */
export function Copyable({ name, text }: { name: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return;
    const timer = window.setTimeout(() => setCopied(false), SHOWN_MS);
    return () => window.clearTimeout(timer);
  }, [isCopied]);
  const copy = async () => {
    await copyText(text);
    setCopied(true);
  };
  return (
    <div class="files-copyable">
      <pre tabIndex={0}><code>{text}</code></pre>
      <IconButton label={isCopied ? words.value.common.copied : words.value.files.connect.copyValue(name)} onClick={() => void copy()}>
        {isCopied ? <Check /> : <Copy />}
      </IconButton>
    </div>
  );
}

async function copyText(text: string): Promise<void> {
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(text);
    return;
  }
  // Without encryption browsers hide the clipboard; the old way still works. In a dialog only its own fields can be selected.
  const field = document.createElement('textarea');
  field.value = text;
  (document.querySelector('dialog[open]') ?? document.body).append(field);
  field.select();
  document.execCommand('copy');
  field.remove();
}
