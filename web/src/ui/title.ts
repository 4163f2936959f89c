// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect } from 'preact/hooks';

import { words } from '../words';

/** What the tab of the browser is called while this page is shown. */
export function useTitle(title: string): void {
  const name = words.value.common.appName;
  useEffect(() => {
    document.title = title === '' ? name : `${title} · ${name}`;
    return () => { document.title = name; };
  }, [title, name]);
}
