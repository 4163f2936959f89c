// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId } from 'preact/hooks';

import { CopyButton } from '../../ui/copyButton';

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
