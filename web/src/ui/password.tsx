// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { Eye, EyeOff } from 'lucide-preact';
import { useId, useState } from 'preact/hooks';

import { words } from '../words';
import { IconButton } from './button';
import { Labelled, described } from './field';

interface PasswordFieldProps {
  label: string;
  hint?: string;
  error?: string | null;
  value: string;
  onValue: (value: string) => void;
  /** `current-password` for one that is known, `new-password` for one that is being chosen. */
  autocomplete: 'current-password' | 'new-password';
  required?: boolean;
  autofocus?: boolean;
}

/** A password, which its owner may look at: who sees what they type mistypes less. */
export function PasswordField({ label, hint, error, value, onValue, autocomplete, required, autofocus }: PasswordFieldProps) {
  const id = useId();
  const [shown, setShown] = useState(false);
  const told = words.value.common;
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <div class="password">
        <input {...described(id, hint, error)} id={id} class="input" type={shown ? 'text' : 'password'} name="password" value={value}
          autocomplete={autocomplete} required={required} autofocus={autofocus} spellcheck={false} autocapitalize="none"
          onInput={(event) => onValue(event.currentTarget.value)} />
        <IconButton label={shown ? told.hidePassword : told.showPassword} aria-pressed={shown} onClick={() => setShown(!shown)}>
          {shown ? <EyeOff /> : <Eye />}
        </IconButton>
      </div>
    </Labelled>
  );
}

export const PASSWORD_CHARACTERS_MIN = 10;
/** As the server counts: by characters, not by code units. */
export const isPasswordTooShort = (password: string): boolean => [...password].length < PASSWORD_CHARACTERS_MIN;
