// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren, JSX } from 'preact';

type Native = Omit<JSX.HTMLAttributes<HTMLButtonElement>, 'label' | 'size'>;

interface ButtonProps extends Native {
  tone?: 'plain' | 'primary' | 'danger' | 'quiet';
  busy?: boolean;
  children: ComponentChildren;
}

export function Button({
  tone = 'plain',
  busy = false,
  children,
  type = 'button',
  class: extra = '',
  disabled,
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={type}
      disabled={disabled || busy}
      aria-busy={busy}
      class={`button button-${tone} ${String(extra)}`}
    >
      {children}
    </button>
  );
}

/** A button that is only a picture; the label is what screen readers and tooltips say. */
export function IconButton({
  label,
  children,
  class: extra = '',
  type = 'button',
  ...rest
}: Native & { label: string; children: ComponentChildren }) {
  return (
    <button {...rest} type={type} class={`icon-button ${String(extra)}`} aria-label={label} title={label}>
      {children}
    </button>
  );
}
