// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { sayError } from '../../../ui/toast';

const load = () => import('./print');
const LATER_MS = 2000;

/** Pages for paper are fetched once the room is there: whoever prints with the browser's own keys gets them, too. */
export function followPrintingSoon(): () => void {
  let stop: () => void = () => undefined;
  let isOver = false;
  const timer = window.setTimeout(() => {
    load().then(({ followPrinting }) => { if (!isOver) stop = followPrinting(); }, () => undefined);
  }, LATER_MS);
  return () => {
    isOver = true;
    window.clearTimeout(timer);
    stop();
  };
}

/** Asks the browser to print what is looked at. */
export async function print(): Promise<void> {
  try {
    (await load()).preparePaper();
    window.print();
  } catch (error) {
    sayError(error);
  }
}
