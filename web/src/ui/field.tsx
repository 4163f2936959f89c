// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren, JSX } from 'preact';
import { useId } from 'preact/hooks';

interface Around {
  label: string;
  hint?: string;
  /** What is wrong with the value; read out when it appears. */
  error?: string | null;
}

type InputProps = Around &
  Omit<JSX.HTMLAttributes<HTMLInputElement>, 'label' | 'size'> & { value: string; onValue: (value: string) => void };

export function TextField({ label, hint, error, value, onValue, ...rest }: InputProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <input
        {...rest}
        {...described(id, hint, error)}
        id={id}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  );
}

type AreaProps = Around &
  Omit<JSX.HTMLAttributes<HTMLTextAreaElement>, 'label'> & { value: string; onValue: (value: string) => void };

export function TextArea({ label, hint, error, value, onValue, ...rest }: AreaProps) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <textarea
        {...rest}
        {...described(id, hint, error)}
        id={id}
        class="input"
        value={value}
        onInput={(event) => onValue(event.currentTarget.value)}
      />
    </Labelled>
  );
}

interface SelectProps<T extends string> extends Around {
  value: T;
  options: readonly { value: T; label: string }[];
  onValue: (value: T) => void;
  disabled?: boolean;
}

export function SelectField<T extends string>({
  label,
  hint,
  error,
  value,
  options,
  onValue,
  disabled = false,
}: SelectProps<T>) {
  const id = useId();
  return (
    <Labelled id={id} label={label} hint={hint} error={error}>
      <select
        {...described(id, hint, error)}
        id={id}
        class="input"
        value={value}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.value as T)}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    </Labelled>
  );
}

export function CheckField({
  label,
  hint,
  checked,
  onValue,
  disabled = false,
}: {
  label: string;
  hint?: string;
  checked: boolean;
  onValue: (checked: boolean) => void;
  disabled?: boolean;
}) {
  return (
    <label class="check">
      <input
        type="checkbox"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onValue(event.currentTarget.checked)}
      />
      <span>
        {label}
        {hint && <small class="hint">{hint}</small>}
      </span>
    </label>
  );
}

/** A label above, and what to know or what is wrong below, of a control that calls itself `id`. */
export function Labelled({ id, label, hint, error, children }: Around & { id: string; children: ComponentChildren }) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children}
      {hint && !error && (
        <small id={`${id}-hint`} class="hint">
          {hint}
        </small>
      )}
      {error && (
        <small id={`${id}-error`} class="field-error" role="alert">
          {error}
        </small>
      )}
    </div>
  );
}

/** What ties the control to those texts. */
export function described(id: string, hint: string | undefined, error: string | null | undefined) {
  if (error) {
    return { 'aria-invalid': true, 'aria-describedby': `${id}-error` } as const;
  }
  return hint ? { 'aria-describedby': `${id}-hint` } : {};
}
