// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Check, Copy } from 'lucide-preact';
import { useRef, useState } from 'preact/hooks';

import { IconButton } from '../../ui/button';
import { copyText } from '../../ui/copy';
import { words } from '../../words';

/** A line for another program, ready to be copied. */
export function CopyLine({ text }: { text: string }) {
  const place = useRef<HTMLDivElement>(null);
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    setCopied(await copyText(text, place.current!));
    window.setTimeout(() => setCopied(false), 2000);
  };
  const told = words.value.common;
  return (
    <div class="admin-line" ref={place}>
      <code>{text}</code>
      <IconButton label={copied ? told.copied : told.copy} onClick={() => void copy()}>{copied ? <Check /> : <Copy />}</IconButton>
    </div>
  );
}
