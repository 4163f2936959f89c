// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';

const query = window.matchMedia('(max-width: 640px)');

/** Whether the window is as narrow as that of a phone; the style sheet draws the line at the same width. */
export function useNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(query.matches);
  useEffect(() => {
    const changed = () => setNarrow(query.matches);
    query.addEventListener('change', changed);
    return () => query.removeEventListener('change', changed);
  }, []);
  return isNarrow;
}
