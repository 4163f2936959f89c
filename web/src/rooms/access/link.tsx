// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';

import { consumeLink, wantsCode } from '../../api/access';
import { ApiError } from '../../api/client';
import { linkSecret } from '../../shell/linkSecret';
import { useAttempt } from '../../ui/attempt';
import { Button } from '../../ui/button';
import { Refusal } from '../../ui/refusal';
import { words } from '../../words';
import { BadLink } from './badLink';
import { Code } from './code';
import { Porch } from './porch';
import { safeReturn } from './returning';
import { goIn } from './signingIn';

const isWorthless = (error: unknown): boolean => error instanceof ApiError && error.status === 401 && !wantsCode(error);

/**
 * The page of a mailed sign-in link. It waits for a press: programs that look at links in mail would use it up, and nobody is to be signed
 * in to the account of somebody else by merely following a link.
 */
export function Link() {
  const [, go] = useLocation();
  const [asksCode, setAsksCode] = useState(false);
  const [isBad, setIsBad] = useState(false);
  const told = words.value.access.link;
  const secret = linkSecret.value;
  const use = async (code?: string) => {
    try {
      const consumed = await consumeLink(secret!, code);
      linkSecret.value = null;
      await goIn(go, safeReturn(consumed.return_to));
    } catch (error) {
      if (!isWorthless(error)) throw error;
      setIsBad(true);
    }
  };
  const attempt = useAttempt(async () => {
    try {
      await use();
    } catch (error) {
      if (!wantsCode(error)) throw error;
      setAsksCode(true);
    }
  });
  if (isBad || (secret === null && !attempt.busy)) {
    return <BadLink deed={told.again} path="/login" />;
  }
  if (asksCode) {
    return <Code use={use} back={() => setAsksCode(false)} />;
  }
  return (
    <Porch title={told.title} lead={told.lead}>
      <form onSubmit={attempt.run}>
        <Refusal attempt={attempt} />
        <Button type="submit" tone="primary" class="porch-go" busy={attempt.busy} disabled={attempt.waitSeconds > 0}>{told.submit}</Button>
      </form>
    </Porch>
  );
}
