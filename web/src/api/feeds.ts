// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { fetchBody } from './client';

export type FeedDetail = 'full' | 'busy';

/** A secret address under which a calendar can be read. */
export interface Feed {
  id: string;
  name: string;
  detail: FeedDetail;
  created_by: string;
  created_at: string;
}

/** The address is told once, when the feed is made. */
export interface NewFeed extends Feed {
  url: string;
}

/** The remote feed that a calendar follows. */
export interface Subscription {
  calendar_id: string;
  /** For owners alone. */
  url?: string | null;
  every_minutes: number;
  next_at: string;
  refreshed_at?: string | null;
  last_error: string;
  failures: number;
  created_at: string;
  updated_at: string;
}

const feedsOf = (calendar: string): string => `/api/calendars/${calendar}/feeds`;
const subscriptionOf = (calendar: string): string => `/api/calendars/${calendar}/subscription`;

export async function listFeeds(calendar: string, signal?: AbortSignal): Promise<Feed[]> {
  return (await fetchBody<{ feeds: Feed[] }>(feedsOf(calendar), { signal })).feeds;
}

export const makeFeed = (calendar: string, feed: { name: string; detail: FeedDetail }): Promise<NewFeed> =>
  fetchBody<NewFeed>(feedsOf(calendar), { method: 'POST', json: feed });

export const closeFeed = (calendar: string, feed: string): Promise<void> =>
  fetchBody<void>(`${feedsOf(calendar)}/${feed}`, { method: 'DELETE' });

export const subscribe = (wanted: { url: string; name: string; color: string; every_minutes: number }): Promise<{ id: string }> =>
  fetchBody<{ id: string }>('/api/subscriptions', { method: 'POST', json: wanted });

export const loadSubscription = (calendar: string, signal?: AbortSignal): Promise<Subscription> =>
  fetchBody<Subscription>(subscriptionOf(calendar), { signal });

export const changeSubscription = (calendar: string, change: { url?: string; every_minutes?: number }): Promise<Subscription> =>
  fetchBody<Subscription>(subscriptionOf(calendar), { method: 'PUT', json: change });

export const refreshSubscription = (calendar: string): Promise<Subscription> =>
  fetchBody<Subscription>(`${subscriptionOf(calendar)}/refresh`, { method: 'POST' });
