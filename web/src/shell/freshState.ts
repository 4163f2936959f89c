// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { options } from 'preact';

// What an event changes is drawn some time after it. Another event may come before that, a last letter and Enter for
// example, and would be answered from what is out of date. So whatever waits is drawn before the next event is looked at.

const EVENTS = ['keydown', 'beforeinput', 'input', 'change', 'submit', 'click', 'dblclick', 'contextmenu', 'pointerdown', 'pointerup', 'drop'];

let waiting: (() => void) | null = null;

function drawWhatWaits(): void {
  const draw = waiting;
  waiting = null;
  draw?.();
}

options.debounceRendering = (draw) => {
  waiting = draw;
  // Not as soon as possible: in the middle of an event, what is drawn would hear the rest of it.
  setTimeout(drawWhatWaits);
};

for (const event of EVENTS) {
  window.addEventListener(event, drawWhatWaits, { capture: true });
}
