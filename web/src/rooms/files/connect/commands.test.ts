// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { homeFolder, rcloneCommand, rcloneConfig, shellWord, syncCommand, type Connection } from './commands';

const connection: Connection = {
  server: 'https://files.example.org', email: 'ann@example.org', library: { id: '0b1c', name: "Ann's papers", isEncrypted: true },
};

describe('command lines', () => {
  it('hold words that a shell leaves alone', () => {
    expect(shellWord('https://files.example.org')).toBe('https://files.example.org');
    expect(shellWord('a b')).toBe("'a b'");
    expect(shellWord("it's; rm -rf ~")).toBe(`'it'\\''s; rm -rf ~'`);
    expect(shellWord('$(reboot)')).toBe("'$(reboot)'");
  });

  it('name a folder after the library', () => {
    expect(homeFolder('Photos')).toBe('~/Photos');
    expect(homeFolder('a/b c')).toBe("~/'a-b c'");
    expect(homeFolder('..')).toBe('~/Library');
  });

  it('sync a library', () => {
    expect(syncCommand(connection)).toBe(
      `mkdir -p ~/'Ann'\\''s papers'\nseaf-cli sync -l 0b1c -s https://files.example.org -u ann@example.org -d ~/'Ann'\\''s papers'`);
  });

  it('set up rclone', () => {
    const command = rcloneCommand(connection, { password: 'APP', libraryPassword: 'KEY' });
    expect(command).toContain(`'library=Ann'\\''s papers'`);
    expect(command).toContain('library_key=KEY');
    expect(rcloneConfig({ ...connection, library: null }, 'x')).toBe(
      '[atrium]\ntype = seafile\nurl = https://files.example.org\nuser = ann@example.org\npass = x');
  });
});
