// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentChildren, ComponentType } from 'preact';
import { CalendarDays, FolderOpen, LogOut, Settings, UserRound } from 'lucide-preact';
import { Link, useLocation } from 'wouter-preact';

import { photoOf, signOut } from '../api/me';
import { Avatar } from '../ui/avatar';
import { Menu } from '../ui/menu';
import { sayError } from '../ui/toast';
import { words } from '../words';
import { isAdministrator, me } from './session';

interface Door {
  path: string;
  label: string;
  icon: ComponentType;
}

function doors(): Door[] {
  const told = words.value.common;
  return [
    { path: '/calendar', label: told.calendar, icon: CalendarDays },
    { path: '/files', label: told.files, icon: FolderOpen },
    ...(isAdministrator.value ? [{ path: '/admin', label: told.administration, icon: Settings }] : []),
  ];
}

async function leave(go: (path: string) => void): Promise<void> {
  try {
    await signOut();
    me.value = null;
    go('/login');
  } catch (error) {
    sayError(error);
  }
}

/** What stands around every room: the way to the others, and to one's own account. */
export function Frame({ children }: { children: ComponentChildren }) {
  const [path, go] = useLocation();
  const told = words.value.common;
  const user = me.value?.user;
  const name = user?.name || user?.email || me.value?.org.name || '';
  return (
    <div class="frame">
      <a class="skip" href="#content">{told.skipToContent}</a>
      <nav class="rail" aria-label={told.mainNavigation}>
        <Link href="/calendar" class="rail-mark" aria-label={told.appName}><img src="/atrium.svg" alt="" width="32" height="32" /></Link>
        {doors().map(({ path: door, label, icon: Icon }) => (
          <Link key={door} href={door} class="rail-door" aria-current={path.startsWith(door) ? 'page' : undefined}>
            <Icon /><span>{label}</span>
          </Link>
        ))}
        <div class="rail-end">
          <Menu label={`${told.account}: ${name}`} class="rail-person" items={[
            { label: told.account, icon: <UserRound />, run: () => go('/account') },
            null,
            { label: told.signOut, icon: <LogOut />, run: () => void leave(go) },
          ]}>
            <Avatar name={name} photo={photoOf(user)} />
          </Menu>
        </div>
      </nav>
      <main id="content" class="content" tabIndex={-1}>{children}</main>
    </div>
  );
}
