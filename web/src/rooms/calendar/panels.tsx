// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import { sayError } from '../../ui/toast';
import { closePanel, openPanel, type PanelName } from './state';

/** What every panel is given. */
export interface PanelProps {
  calendarId?: string | undefined;
  entryId?: string | undefined;
  close: () => void;
}

type Panel = ComponentType<PanelProps>;

// Each is fetched when it is first opened.
const PANELS: Record<PanelName, () => Promise<Panel>> = {
  availability: async () => (await import('./panels/availability')).AvailabilityPanel,
  calendar: async () => (await import('./panels/calendar')).CalendarPanel,
  feeds: async () => (await import('./panels/feeds')).FeedsPanel,
  history: async () => (await import('./panels/history')).HistoryPanel,
  import: async () => (await import('./panels/import')).ImportPanel,
  invitations: async () => (await import('./panels/invitationsPanel')).InvitationsPanel,
  search: async () => (await import('./panels/search')).SearchPanel,
  share: async () => (await import('./panels/share')).SharePanel,
  shortcuts: async () => (await import('./panels/shortcuts')).ShortcutsPanel,
  subscribe: async () => (await import('./panels/subscribe')).SubscribePanel,
  trash: async () => (await import('./panels/trash')).TrashPanel,
};

const fetched = new Map<PanelName, Panel>();

/** The panel that is open, above everything else of the room. */
export function Panels() {
  const wanted = openPanel.value;
  const [, redraw] = useState(0);
  useEffect(() => {
    if (wanted === null || fetched.has(wanted.name)) {
      return;
    }
    PANELS[wanted.name]().then((panel) => {
      fetched.set(wanted.name, panel);
      redraw((turn) => turn + 1);
    }, (error: unknown) => {
      closePanel();
      sayError(error);
    });
  }, [wanted?.name]);
  const Content = wanted === null ? undefined : fetched.get(wanted.name);
  return Content === undefined || wanted === null ? null : (
    <Content key={`${wanted.name} ${wanted.calendarId ?? ''} ${wanted.entryId ?? ''}`} calendarId={wanted.calendarId} entryId={wanted.entryId}
      close={closePanel} />
  );
}
