// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useState } from 'preact/hooks';

export interface Span {
  /** Index of the first, and of the one after the last. */
  from: number;
  to: number;
}

/** Which rows of a list are to be drawn, when `above` pixels of it are hidden and `height` can be seen. */
export function spanOf({ count, rowHeight, above, height }: { count: number; rowHeight: number; above: number; height: number }): Span {
  // Some more on either side, so that the next ones are there when they come into sight.
  const spare = 12;
  const first = Math.floor(above / rowHeight) - spare;
  const last = Math.ceil((above + height) / rowHeight) + spare;
  const from = Math.max(0, Math.min(first, count));
  return { from, to: Math.max(from, Math.min(last, count)) };
}

const sameSpan = (a: Span, b: Span): boolean => a.from === b.from && a.to === b.to;

/** The rows of a long list that can be seen while the page scrolls. */
export function useSeenRows(list: RefObject<HTMLElement>, count: number, rowHeight: number): Span {
  const [span, setSpan] = useState<Span>({ from: 0, to: Math.min(count, 60) });
  const measure = () => {
    const element = list.current;
    if (element === null) return;
    const above = Math.max(0, -element.getBoundingClientRect().top);
    const next = spanOf({ count, rowHeight, above, height: window.innerHeight });
    setSpan((before) => (sameSpan(before, next) ? before : next));
  };
  useLayoutEffect(measure, [count, rowHeight]);
  useEffect(() => {
    window.addEventListener('scroll', measure, { passive: true });
    window.addEventListener('resize', measure);
    return () => {
      window.removeEventListener('scroll', measure);
      window.removeEventListener('resize', measure);
    };
  }, [count, rowHeight]);
  return { from: Math.min(span.from, count), to: Math.min(span.to, count) };
}
