// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { execFileSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { BUILD, CHECKOUT, newFolder } from './places';
import { cleanEnvironment, RunningServer, type Wanted } from './server';

export const PASSWORD = 'a teapot made of rain';

interface Answer {
  status: number;
  body: any;
}

/** Somebody with an account, who asks for things without a browser. */
export class Person {
  constructor(readonly house: House, readonly email: string, readonly session: string) {}

  /** What the server answers, whatever it is. */
  async try(method: string, path: string, body?: unknown): Promise<Answer> {
    const reply = await fetch(this.house.server.url + path, {
      method,
      headers: { 'X-Session-Id': this.session, ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    const json = (reply.headers.get('Content-Type') ?? '').includes('json') && text !== '';
    return { status: reply.status, body: json ? JSON.parse(text) : text };
  }

  /** What the server answers, having agreed. */
  async ask(method: string, path: string, body?: unknown): Promise<any> {
    const answer = await this.try(method, path, body);
    if (answer.status >= 300) {
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    }
    return answer.body;
  }

  async makeCalendar(name: string, color = '#2563EB'): Promise<string> {
    return (await this.ask('POST', '/api/calendars', { name, color })).id as string;
  }

  /** The calendar that everybody has. */
  async defaultCalendar(): Promise<string> {
    const { calendars } = await this.ask('GET', '/api/calendars');
    return calendars.find((one: { is_default: boolean }) => one.is_default).id as string;
  }

  async makeEntry(calendar: string, fields: Record<string, unknown>): Promise<any> {
    return this.ask('POST', '/api/entries', { calendarId: calendar, kind: 'all-day', title: 'Something', ...fields });
  }

  async entriesOf(calendar: string, from: string, to: string): Promise<any[]> {
    return (await this.ask('GET', `/api/entries?calendar_id=${calendar}&from=${from}&to=${to}`)).entries;
  }

  async shareWith(other: Person, calendar: string, role = 'writer'): Promise<void> {
    await this.ask('POST', `/api/calendars/${calendar}/members`, { email: other.email, role });
    await other.ask('POST', `/api/calendars/${calendar}/accept`);
  }

  async makeLibrary(name: string): Promise<string> {
    return (await this.ask('POST', '/api/v2.1/repos', { name })).repo_id as string;
  }

  async upload(library: string, path: string, content: string | Uint8Array): Promise<void> {
    const link = new URL(await this.ask('GET', `/api2/repos/${library}/upload-link?p=/`));
    const form = new FormData();
    const cut = path.lastIndexOf('/');
    form.set('parent_dir', '/');
    form.set('relative_path', path.slice(0, cut).replace(/^\//, ''));
    form.set('replace', '1');
    form.set('file', new Blob([content as BlobPart]), path.slice(cut + 1));
    const reply = await fetch(this.house.server.url + link.pathname + '?ret-json=1', { method: 'POST', body: form });
    if (!reply.ok) {
      throw new Error(`upload of ${path}: ${reply.status} ${await reply.text()}`);
    }
  }

  async download(library: string, path: string): Promise<Uint8Array> {
    const link = new URL(await this.ask('GET', `/api2/repos/${library}/file?p=${encodeURIComponent(path)}`));
    return new Uint8Array(await (await fetch(this.house.server.url + link.pathname)).arrayBuffer());
  }

  /** All paths below a folder, folders with a slash at the end. */
  async tree(library: string): Promise<string[]> {
    const all: { type: string; name: string; parent_dir: string }[] =
      await this.ask('GET', `/api2/repos/${library}/dir?p=/&recursive=1`);
    return all.map((one) => `${one.parent_dir.replace(/\/$/, '')}/${one.name}${one.type === 'dir' ? '/' : ''}`).sort();
  }
}

/** A server that is set up, with people in it. */
export class House {
  private constructor(readonly server: RunningServer, private readonly furniture = '') {}

  /** Its superadministrator: root@example.org, or demo@example.org where it is furnished. */
  root!: Person;

  static async start(wanted: Wanted = {}): Promise<House> {
    const house = new House(await RunningServer.start(wanted));
    const link = new URL(String((await house.server.waitForLog('set up this server'))['url']));
    const reply = await fetch(`${house.server.url}/api/setup`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({
        token: link.hash.replace('#token=', ''), email: 'root@example.org', name: 'Rut Root', password: PASSWORD,
        organisation: 'The Hikers', time_zone: 'Europe/Berlin',
      }),
    });
    const { session_id: session } = (await reply.json()) as { session_id: string };
    house.root = new Person(house, 'root@example.org', session);
    return house;
  }

  /** With everything that ./run --demo puts there. */
  static async furnished(): Promise<House> {
    const folder = newFolder('demo');
    const data = join(folder, 'data');
    writeFileSync(join(folder, 'password'), PASSWORD);
    execFileSync('/usr/bin/python3', [
      join(CHECKOUT, 'setup/demo'), '--password-file', join(folder, 'password'), join(BUILD, 'atrium'), '--data', data,
    ], { cwd: folder, env: cleanEnvironment(), stdio: 'ignore' });
    const house = new House(await RunningServer.start({ data }), folder);
    house.root = await house.signIn('demo@example.org');
    return house;
  }

  async addPerson(email: string, fields: Record<string, unknown> = {}): Promise<Person> {
    await this.root.ask('POST', '/api/users', { email, password: PASSWORD, time_zone: 'Europe/Berlin', ...fields });
    return this.signIn(email);
  }

  async signIn(email: string): Promise<Person> {
    const reply = await fetch(`${this.server.url}/api/auth/login`, {
      method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ email, password: PASSWORD }),
    });
    if (!reply.ok) {
      throw new Error(`sign-in of ${email}: ${reply.status}`);
    }
    return new Person(this, email, ((await reply.json()) as { session_id: string }).session_id);
  }

  async stop(): Promise<void> {
    await this.server.stop();
    if (this.furniture !== '') {
      rmSync(this.furniture, { recursive: true, force: true });
    }
  }
}
