// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { eventually } from './eventually';
import { BUILD, newFolder } from './places';

export type Settings = Record<string, Record<string, unknown>>;
type LogLine = Record<string, unknown> & { message?: string };

const SANITIZER_REPORT = /(ERROR|WARNING): \w+Sanitizer|runtime error: |SUMMARY: \w+Sanitizer/;

// All browsers of a test are one client to the server; what one person may ask for is tested elsewhere.
const UNHURRIED: Settings = {
  log: { format: 'json', access: false },
  http: {
    request_rate: 100_000, request_burst: 100_000, costly_rate: 100_000, costly_burst: 100_000,
    credential_rate: 100_000, credential_burst: 100_000, drain_timeout: '2s',
  },
};

/** Ours, without the variables that would be read as configuration. */
export function cleanEnvironment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('ATRIUM_')));
}

export interface Wanted {
  settings?: Settings;
  /** The laboratory is the same program with routes made to be tested. */
  program?: 'atrium' | 'atrium_lab';
  /** A folder that is there already; it is not removed then. */
  data?: string;
}

/** The real program in a process of its own, with a data folder of its own, on a port the system chose. */
export class RunningServer {
  readonly folder = newFolder('server');
  readonly data: string;
  private readonly program: string;
  port = 0;
  private process: ChildProcess | null = null;
  private starts = 0;

  private constructor(wanted: Wanted) {
    this.program = join(BUILD, wanted.program ?? 'atrium');
    this.data = wanted.data ?? join(this.folder, 'data');
    writeFileSync(this.configFile, JSON.stringify(merged(UNHURRIED, wanted.settings ?? {})));
  }

  static async start(wanted: Wanted = {}): Promise<RunningServer> {
    const server = new RunningServer(wanted);
    await server.start();
    return server;
  }

  get url(): string {
    return `http://127.0.0.1:${this.port}`;
  }

  private get configFile(): string {
    return join(this.folder, 'atrium.yaml');
  }

  private get logFile(): string {
    return join(this.folder, `log-${this.starts}`);
  }

  /** Starts it, again on the port where it was before. */
  async start(): Promise<void> {
    this.starts += 1;
    const log = openSync(this.logFile, 'w');
    this.process = spawn(this.program, ['serve', ...this.options(), '--port', String(this.port)], {
      cwd: this.folder, env: cleanEnvironment(), stdio: ['ignore', log, log],
    });
    closeSync(log);
    const listening = await this.waitForLog('listening', 60);
    this.port = Number(listening['port']);
  }

  /** One command of the program on the same data. */
  run(words: string[], input = ''): string {
    return execFileSync(this.program, [...words, ...this.options()], {
      cwd: this.folder, env: cleanEnvironment(), input, encoding: 'utf8',
    });
  }

  private options(): string[] {
    return ['--config', this.configFile, '--data', this.data];
  }

  log(): string {
    return readFileSync(this.logFile, 'utf8');
  }

  async waitForLog(message: string, seconds = 20): Promise<LogLine> {
    return eventually(`the log line "${message}"`, () => {
      const found = this.logLines().find((line) => line.message === message);
      if (!found && this.process?.exitCode !== null) {
        throw new Error(`the server ended with status ${this.process?.exitCode}:\n${this.log().slice(-4000)}`);
      }
      return found;
    }, seconds);
  }

  private logLines(): LogLine[] {
    return this.log().split('\n').slice(0, -1).flatMap((line) => {
      try {
        return [JSON.parse(line) as LogLine];
      } catch {
        return [];
      }
    });
  }

  /** Stops it with SIGTERM and checks that it ended well; what it kept stays. */
  async halt(): Promise<void> {
    const child = this.process;
    if (child === null) {
      return;
    }
    this.process = null;
    const ended = new Promise<number | null>((done) => child.once('exit', (status) => done(status)));
    child.kill('SIGTERM');
    const status = child.exitCode ?? await withinSeconds(ended, 60, () => child.kill('SIGKILL'));
    const log = this.log();
    if (SANITIZER_REPORT.test(log)) {
      throw new Error(`a sanitizer complained:\n${log.slice(log.search(SANITIZER_REPORT)).slice(0, 8000)}`);
    }
    if (status !== 0) {
      throw new Error(`the server ended with status ${status}:\n${log.slice(-4000)}`);
    }
  }

  /** As a power cut would. */
  async kill(): Promise<void> {
    const child = this.process!;
    this.process = null;
    const ended = new Promise((done) => child.once('exit', done));
    child.kill('SIGKILL');
    await ended;
  }

  /** The end of it, with everything it kept. */
  async stop(): Promise<void> {
    await this.halt();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function withinSeconds<T>(wanted: Promise<T>, seconds: number, otherwise: () => void): Promise<T> {
  const timer = setTimeout(otherwise, seconds * 1000);
  try {
    return await wanted;
  } finally {
    clearTimeout(timer);
  }
}

function merged(below: Settings, above: Settings): Settings {
  const sections = new Set([...Object.keys(below), ...Object.keys(above)]);
  return Object.fromEntries([...sections].map((name) => [name, { ...below[name], ...above[name] }]));
}
