// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { join } from 'node:path';

import { CHECKOUT } from './places';

/** The certified OpenID provider of tests/oidc, on loopback. It knows ann@example.org as "ann". */
export class Provider {
  private constructor(private readonly process: ChildProcess, readonly issuer: string) {}

  static async start(redirect: string): Promise<Provider> {
    const folder = join(CHECKOUT, 'tests/oidc');
    execFileSync('/usr/bin/python3', [join(CHECKOUT, 'tests/npm_packages.py'), folder]);
    // It ends when its standard input does, and so with us.
    const child = spawn('node', ['provider.mjs', `--redirect-uri=${redirect}`], { cwd: folder, stdio: ['pipe', 'pipe', 'ignore'] });
    const line = await new Promise<string>((done, failed) => {
      child.stdout!.once('data', (data: Buffer) => done(data.toString()));
      child.once('exit', (status) => failed(new Error(`the provider ended with status ${status}`)));
    });
    return new Provider(child, (JSON.parse(line) as { issuer: string }).issuer);
  }

  stop(): void {
    this.process.removeAllListeners('exit');
    this.process.kill();
  }
}
