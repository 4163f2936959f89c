// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import './shell/linkSecret';
import { render } from 'preact';

import { ACCESS_PATHS, JOIN_PATH } from './shell/accessPaths';
import { App, fetchRoomAt } from './shell/app';
import { me, refreshMe, wasSignedIn } from './shell/session';
import './shell/freshState';
import './shell/theme';
import './ui/styles';
import { speakAsWanted } from './words';

const place = document.getElementById('app')!;

async function findOutWhoIsHere(): Promise<void> {
  // An invitation is for whoever is signed in, if somebody is.
  if (ACCESS_PATHS.includes(location.pathname) && location.pathname !== JOIN_PATH && !wasSignedIn()) {
    me.value = null;
    return;
  }
  // A server that cannot be reached is told by the app itself, which asks again.
  await refreshMe().catch(() => undefined);
}

const known = Promise.all([speakAsWanted(), findOutWhoIsHere()]);
fetchRoomAt(location.pathname);
await known;
render(<App />, place);
