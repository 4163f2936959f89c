// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useId, useState } from 'preact/hooks';
import { KeyRound, LogOut, MailPlus, ShieldOff, Trash2 } from 'lucide-preact';

import {
  endUserSessions,
  eraseUser,
  inviteUser,
  removeSecondFactor,
  sendsMail,
  setUserPassword,
  type UserDetails,
} from '../../../api/people';
import { me } from '../../../shell/session';
import { useAttempt } from '../../../ui/attempt';
import { Button } from '../../../ui/button';
import { confirm } from '../../../ui/confirm';
import { Dialog } from '../../../ui/dialog';
import { useLoaded } from '../../../ui/loaded';
import { PASSWORD_CHARACTERS_MIN, PasswordField, isPasswordTooShort } from '../../../ui/password';
import { Refusal } from '../../../ui/refusal';
import { say, sayError } from '../../../ui/toast';
import { words } from '../../../words';
import { TypedConfirmation } from '../parts';

interface EntranceProps {
  user: UserDetails;
  reload: () => void;
  onErased: (id: string) => void;
}

/** How somebody gets in, and how they are kept out. */
export function Entrance({ user, reload, onErased }: EntranceProps) {
  const told = words.value.admin.people;
  const mail = useLoaded((signal) => sendsMail(signal), []);
  const [asked, setAsked] = useState<'password' | 'erase' | null>(null);
  const own = user.id === me.value?.user?.id;
  const sure = async (
    question: { title: string; text: string; deed: string },
    deed: () => Promise<void>,
    done: string,
  ) => {
    if (!(await confirm(question))) return;
    try {
      await deed();
      say(done);
      reload();
    } catch (error) {
      sayError(error);
    }
  };
  const invite = () => inviteUser(user.id).then(() => say(told.invited(user.email)), sayError);
  return (
    <section class="admin-entrance" aria-label={told.entrance}>
      <h3>{told.entrance}</h3>
      <ul class="admin-facts">
        <li>{user.has_password ? told.hasPassword : told.hasNoPassword}</li>
        <li>{user.second_factor ? told.hasSecondFactor : told.hasNoSecondFactor}</li>
      </ul>
      <div class="admin-deeds">
        <Button onClick={() => setAsked('password')} disabled={own}>
          <KeyRound />
          {told.setPassword}
        </Button>
        {mail.value === true && (
          <Button onClick={() => void invite()} disabled={own}>
            <MailPlus />
            {told.invite}
          </Button>
        )}
        <Button
          disabled={own}
          onClick={() =>
            void sure(
              { title: told.endSessions, text: told.endSessionsText(user.email), deed: told.endSessions },
              () => endUserSessions(user.id),
              told.sessionsEnded,
            )
          }
        >
          <LogOut />
          {told.endSessions}
        </Button>
        <Button
          disabled={own || !user.second_factor}
          onClick={() =>
            void sure(
              { title: told.endSecondFactor, text: told.endSecondFactorText(user.email), deed: told.endSecondFactor },
              () => removeSecondFactor(user.id),
              told.secondFactorEnded,
            )
          }
        >
          <ShieldOff />
          {told.endSecondFactor}
        </Button>
        <Button tone="danger" disabled={own} onClick={() => setAsked('erase')}>
          <Trash2 />
          {told.erase}
        </Button>
      </div>
      {own && <p class="muted">{told.ownHint}</p>}
      {asked === 'password' && (
        <GivePassword
          user={user}
          onClose={() => setAsked(null)}
          onDone={() => {
            setAsked(null);
            say(told.passwordSet);
            reload();
          }}
        />
      )}
      {asked === 'erase' && (
        <TypedConfirmation
          title={told.eraseTitle(user.name || user.email)}
          text={told.eraseText}
          expected={user.email}
          deed={told.erase}
          onClose={() => setAsked(null)}
          run={async () => {
            await eraseUser(user.id);
            say(told.erased(user.email));
            onErased(user.id);
          }}
        />
      )}
    </section>
  );
}

function GivePassword({ user, onClose, onDone }: { user: UserDetails; onClose: () => void; onDone: () => void }) {
  const told = words.value.admin.people;
  const [password, setPassword] = useState('');
  const [tried, setTried] = useState(false);
  const formId = useId();
  const attempt = useAttempt(async () => {
    setTried(true);
    if (isPasswordTooShort(password)) return;
    await setUserPassword(user.id, password);
    onDone();
  });
  return (
    <Dialog
      title={told.setPassword}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{words.value.common.cancel}</Button>
          <Button tone="primary" type="submit" form={formId} busy={attempt.busy}>
            {told.setPassword}
          </Button>
        </>
      }
    >
      <form id={formId} onSubmit={attempt.run}>
        <p>{told.setPasswordText(user.email)}</p>
        <PasswordField
          label={told.newPassword}
          value={password}
          onValue={setPassword}
          autocomplete="new-password"
          autofocus
          error={tried && isPasswordTooShort(password) ? told.passwordTooShort(PASSWORD_CHARACTERS_MIN) : null}
        />
        <Refusal attempt={attempt} />
      </form>
    </Dialog>
  );
}
