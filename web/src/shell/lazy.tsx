// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType, FunctionComponent } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Failure, Skeleton } from '../ui/states';

interface LazyRoom extends FunctionComponent {
  /** Fetches its code without going there. */
  fetch(): Promise<void>;
}

/** A room whose code is fetched when somebody first goes there. */
export function lazyRoom(load: () => Promise<ComponentType>): LazyRoom {
  let known: ComponentType | null = null;
  const fetchCode = async () => { known = await load(); };
  function Room() {
    const [, redraw] = useState(0);
    const [error, setError] = useState<unknown>(null);
    const fetchRoom = () => {
      setError(null);
      fetchCode().then(() => redraw((n) => n + 1), setError);
    };
    const Content = known;
    // By what was drawn: the code may have come in between, and then nothing else would draw again.
    useEffect(() => { if (Content === null) fetchRoom(); }, []);
    if (error !== null) {
      return <Failure error={error} retry={fetchRoom} />;
    }
    return Content === null ? <div class="page"><Skeleton lines={8} /></div> : <Content />;
  }
  return Object.assign(Room, { fetch: fetchCode });
}
