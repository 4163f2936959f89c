// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { Failure, Skeleton } from '../ui/states';

/** A room whose code is fetched when somebody first goes there. */
export function lazyRoom(load: () => Promise<ComponentType>): ComponentType {
  let known: ComponentType | null = null;
  return function Room() {
    const [, redraw] = useState(0);
    const [error, setError] = useState<unknown>(null);
    const fetchRoom = () => {
      setError(null);
      load().then((room) => { known = room; redraw((n) => n + 1); }, setError);
    };
    useEffect(() => { if (known === null) fetchRoom(); }, []);
    if (error !== null) {
      return <Failure error={error} retry={fetchRoom} />;
    }
    const Content = known;
    return Content === null ? <div class="page"><Skeleton lines={8} /></div> : <Content />;
  };
}
