// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** A word of a command line, in quotes where a shell would make something else of it. */
export const shellWord = (text: string): string =>
  (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`);

/** A folder in the home of whoever pastes it, named after a library. */
export const homeFolder = (library: string): string => `~/${shellWord(library.replaceAll('/', '-').replace(/^\.+/, '') || 'Library')}`;

export interface Connection {
  server: string;
  email: string;
  /** None: all libraries. */
  library: { id: string; name: string; isEncrypted: boolean } | null;
}

export const INSTALL_CLI = 'sudo apt install seafile-cli';
export const START_CLI = 'mkdir -p ~/.seafile\nseaf-cli init -d ~/.seafile\nseaf-cli start';
export const STATUS_CLI = 'seaf-cli status';

export const listCommand = ({ server, email }: Connection): string =>
  `seaf-cli list-remote -s ${shellWord(server)} -u ${shellWord(email)}`;

export function syncCommand({ server, email, library }: Connection): string {
  const folder = library === null ? '~/Papers' : homeFolder(library.name);
  return `mkdir -p ${folder}\nseaf-cli sync -l ${library?.id ?? 'ID'} -s ${shellWord(server)} -u ${shellWord(email)} -d ${folder}`;
}

export const stopCommand = ({ library }: Connection): string => `seaf-cli desync -d ${library === null ? '~/Papers' : homeFolder(library.name)}`;

/** Stand-ins for what only the person knows. */
export interface Placeholders {
  password: string;
  libraryPassword: string;
}

export function rcloneCommand({ server, email, library }: Connection, { password, libraryPassword }: Placeholders): string {
  const options = [
    `url=${server}`, `user=${email}`, ...(library === null ? [] : [`library=${library.name}`]),
    ...(library?.isEncrypted ? [`library_key=${libraryPassword}`] : []), `pass=${password}`,
  ];
  return `rclone config create atrium seafile --obscure ${options.map(shellWord).join(' ')}`;
}

export function rcloneConfig({ server, email, library }: Connection, obscured: string): string {
  return [
    '[atrium]', 'type = seafile', `url = ${server}`, `user = ${email}`, `pass = ${obscured}`,
    ...(library === null ? [] : [`library = ${library.name}`]), ...(library?.isEncrypted ? [`library_key = ${obscured}`] : []),
  ].join('\n');
}

export function rcloneUse({ library }: Connection): string {
  const folder = library === null ? '~/Papers' : homeFolder(library.name);
  const place = library === null ? 'atrium:Library/Papers' : 'atrium:';
  return `rclone lsf ${place === 'atrium:' ? place : 'atrium:'}\nrclone copy --progress ${folder} ${place}`;
}
