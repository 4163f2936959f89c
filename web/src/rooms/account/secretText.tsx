// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Check, Copy } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';

import { Button } from '../../ui/button';
import { copyText } from '../../ui/copy';
import { words } from '../../words';

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

/** A text that goes somewhere else as it is: to be selected with one click, or copied. */
export function SecretText({ label, text }: { label: string; text: string }) {
  const id = useId();
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <div class="row">
        <input id={id} class="input account-secret" readOnly value={text} spellcheck={false} onFocus={(event) => event.currentTarget.select()} />
        <CopyButton text={text} label={label} />
      </div>
    </div>
  );
}
