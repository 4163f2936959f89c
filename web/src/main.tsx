// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { render } from 'preact';

import { App } from './shell/app';
import { refreshMe } from './shell/session';
import './shell/theme';
import './ui/styles';
import { speakAsWanted } from './words';

const place = document.getElementById('app')!;

// A server that cannot be reached is told by the app itself, which asks again.
await Promise.all([speakAsWanted(), refreshMe().catch(() => undefined)]);
render(<App />, place);
