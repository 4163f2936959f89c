// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Check, Copy } from 'lucide-preact';
import { useState } from 'preact/hooks';

import { words } from '../words';
import { Button } from './button';
import { copyText } from './copy';

/** Puts a text on the clipboard, and says that it did. */
export function CopyButton({ text, tone = 'plain', label }: { text: string; tone?: 'plain' | 'primary'; label?: string }) {
  const [copied, setCopied] = useState(false);
  const told = words.value.common;
  const copy = async (event: Event) => {
    setCopied(await copyText(text, event.currentTarget as Element));
    window.setTimeout(() => setCopied(false), 3000);
  };
  return (
    <Button tone={tone} onClick={(event) => void copy(event)} aria-label={label && `${copied ? told.copied : told.copy}: ${label}`}>
      {copied ? <Check /> : <Copy />}<span aria-live="polite">{copied ? told.copied : told.copy}</span>
    </Button>
  );
}
