// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { Link } from 'wouter-preact';

import type { Library } from '../../../api/files';
import { me } from '../../../shell/session';
import { Dialog } from '../../../ui/dialog';
import { words } from '../../../words';
import {
  INSTALL_CLI, listCommand, rcloneCommand, rcloneConfig, rcloneUse, START_CLI, STATUS_CLI, stopCommand, syncCommand, type Connection,
} from './commands';
import { Copyable } from './copyable';

type Way = 'desktop' | 'commandLine' | 'rclone';
const WAYS: readonly Way[] = ['desktop', 'commandLine', 'rclone'];

/** How a computer is kept in step with a library, or with all of them. */
export function ConnectDialog({ library, onClose }: { library: Library | null; onClose: () => void }) {
  const told = words.value.files.connect;
  const [way, setWay] = useState<Way>('desktop');
  const connection: Connection = {
    server: location.origin,
    email: me.value?.user?.email ?? '',
    library: library && { id: library.repo_id, name: library.repo_name, isEncrypted: library.encrypted === 1 },
  };
  const Content = { desktop: Desktop, commandLine: CommandLine, rclone: Rclone }[way];
  return (
    <Dialog title={library === null ? told.title : told.titleOf(library.repo_name)} shape="wide" onClose={onClose}>
      <p>{told.hint}</p>
      {isOpenToListeners() && <p class="notice notice-warn">{told.httpWarning}</p>}
      <div class="segments" role="group" aria-label={told.ways}>
        {WAYS.map((one) => <button key={one} type="button" aria-pressed={way === one} onClick={() => setWay(one)}>{told[one]}</button>)}
      </div>
      <div class="files-connect"><Content connection={connection} /></div>
      <h3>{told.passwordTitle}</h3>
      <p>{told.passwordHint} <Link href="/account/tokens">{told.makePassword}</Link></p>
    </Dialog>
  );
}

// What stays on one computer cannot be listened to.
const isOpenToListeners = (): boolean => location.protocol === 'http:' && !window.isSecureContext;

function Values({ connection: { server, email, library } }: { connection: Connection }) {
  const told = words.value.files.connect;
  return (
    <dl class="files-details">
      <dt>{told.server}</dt><dd><Copyable name={told.server} text={server} /></dd>
      <dt>{told.account}</dt><dd><Copyable name={told.account} text={email} /></dd>
      {library && <><dt>{told.library}</dt><dd><Copyable name={told.library} text={library.name} /></dd></>}
    </dl>
  );
}

function Desktop({ connection }: { connection: Connection }) {
  const told = words.value.files.connect;
  const steps = connection.library === null ? [...told.desktopSteps.slice(0, -1), told.desktopAnyStep] : told.desktopSteps;
  return (
    <>
      <ol>{steps.map((step) => <li key={step}>{step}</li>)}</ol>
      <Values connection={connection} />
      <p class="muted">{told.driveHint}</p>
    </>
  );
}

function CommandLine({ connection }: { connection: Connection }) {
  const told = words.value.files.connect;
  const { library } = connection;
  return (
    <>
      <p>{told.installCli}</p><Copyable name={told.commandLine} text={INSTALL_CLI} />
      <p>{told.startCli}</p><Copyable name={told.commandLine} text={START_CLI} />
      {library === null && <><p>{told.listCli}</p><Copyable name={told.commandLine} text={listCommand(connection)} /></>}
      <p>{told.syncCli} {library?.isEncrypted && told.encryptedCli}</p><Copyable name={told.commandLine} text={syncCommand(connection)} />
      <p>{told.statusCli}</p><Copyable name={told.commandLine} text={STATUS_CLI} />
      <p>{told.stopCli}</p><Copyable name={told.commandLine} text={stopCommand(connection)} />
    </>
  );
}

function Rclone({ connection }: { connection: Connection }) {
  const told = words.value.files.connect;
  const placeholders = { password: told.rclonePassword, libraryPassword: told.rcloneLibraryPassword };
  return (
    <>
      <p>{told.rcloneSteps}</p><Copyable name={told.rclone} text={rcloneCommand(connection, placeholders)} />
      <p>{told.rcloneUse}</p><Copyable name={told.rclone} text={rcloneUse(connection)} />
      <p>{told.rcloneConfig}</p><Copyable name={told.rclone} text={rcloneConfig(connection, told.rcloneObscured)} />
    </>
  );
}
