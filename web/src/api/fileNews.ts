// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError, fetchBody } from './client';

interface News {
  /** Whether changes are told from now on. */
  connected: (yes: boolean) => void;
  changed: () => void;
}

interface Message {
  type: 'repo-update' | 'jwt-expired';
  content: { repo_id: string; commit_id?: string };
}

const PROTOCOL = 'notification.seafile.com';
const FIRST_PAUSE_MS = 2000;
const LONGEST_PAUSE_MS = 60_000;

/** The token that opens what is told of a library; it is for devices that sync, and we are one for this purpose. */
async function askToken(library: string): Promise<string> {
  const { token } = await fetchBody<{ token: string }>(`/api2/repos/${library}/download-info`);
  return (await fetchBody<{ jwt_token: string }>(`/seafhttp/repo/${library}/jwt-token`, { headers: { 'Seafile-Repo-Token': token } })).jwt_token;
}

/**
 * Hears of every change of a library after the commit `known`, until the answer is called. A line that breaks is opened
 * again.
 */
export function hearChanges(library: string, known: string, news: News): () => void {
  let socket: WebSocket | null = null;
  let isOver = false;
  let pause = FIRST_PAUSE_MS;
  let timer = 0;
  let latest = known;

  const again = () => {
    news.connected(false);
    if (!isOver) {
      timer = window.setTimeout(() => void open(), pause);
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
  };
  const hear = (text: string) => {
    const message = JSON.parse(text) as Message;
    if (message.type === 'jwt-expired') {
      socket?.close();
      return;
    }
    // Who subscribes is told the newest state at once, which may be known.
    const { commit_id: commit } = message.content;
    if (message.type === 'repo-update' && commit !== undefined && commit !== latest) {
      latest = commit;
      news.changed();
    }
  };
  const open = async () => {
    try {
      const token = await askToken(library);
      if (isOver) return;
      socket = new WebSocket(`${location.origin.replace(/^http/, 'ws')}/notification`, PROTOCOL);
      socket.onopen = () => {
        pause = FIRST_PAUSE_MS;
        socket?.send(JSON.stringify({ type: 'subscribe', content: { repos: [{ id: library, jwt_token: token }] } }));
        news.connected(true);
      };
      socket.onmessage = (event) => hear(String(event.data));
      socket.onclose = again;
    } catch (error) {
      // Somebody without access does not get it by asking again.
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) again();
    }
  };
  void open();
  return () => {
    isOver = true;
    window.clearTimeout(timer);
    closeQuietly(socket);
  };
}

// Closed before it is open, the browser would complain.
function closeQuietly(socket: WebSocket | null): void {
  if (socket?.readyState === WebSocket.CONNECTING) {
    socket.onopen = () => socket.close();
  } else {
    socket?.close();
  }
}
