// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { PanelProps } from '../panels';
import { NewSubscription } from './newSubscription';
import { SubscriptionState } from './subscriptionState';

/** A calendar elsewhere that is to be followed; or how one is doing that is followed already. */
export function SubscribePanel({ calendarId, close }: PanelProps) {
  return calendarId === undefined ? <NewSubscription close={close} /> : <SubscriptionState calendarId={calendarId} close={close} />;
}
