// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Words } from '..';

export const invitations: Words['invitations'] = {
  link: 'Link zur Einladung',
  qr: 'Der Link als QR-Code',
  worksUntil: (day) => `Er gilt einmal, bis zum ${day}.`,
  anybody: 'Wer den Link hat',
  passOn: {
    by_hand: 'Gib diesen Link an die Person weiter, die du einladen möchtest.',
    off: (email) => `Dieser Server verschickt keine Mails; ${email} erfährt von ihm also nichts. Gib diesen Link selbst weiter.`,
    queued: (email) => `Eine Mail an ${email} wartet auf den Versand. Du kannst diesen Link auch selbst weitergeben.`,
    handed_over: (email) => `Der Mailserver hat die Mail an ${email} angenommen. Du kannst diesen Link auch selbst weitergeben.`,
    failed: (email) => `Die Mail an ${email} konnte nicht verschickt werden. Gib diesen Link selbst weiter.`,
  },
  again: {
    by_hand: (email) => `Keine Mail an ${email}: Gib den Link selbst weiter`,
    off: (email) => `Keine Mail an ${email}: Dieser Server verschickt keine. Gib den Link selbst weiter.`,
    queued: (email) => `Eine weitere Mail an ${email} wartet auf den Versand`,
    handed_over: (email) => `Der Mailserver hat eine weitere Mail an ${email} angenommen`,
    failed: (email) => `Eine weitere Mail an ${email} konnte nicht verschickt werden`,
  },
  noMail: 'Dieser Server verschickt keine Mails. Leg einen neuen Link an und gib ihn selbst weiter.',
  delivery: {
    by_hand: 'Wird als Link weitergegeben',
    off: 'Keine Mail: Dieser Server verschickt keine',
    queued: 'Mail wartet auf den Versand',
    handed_over: 'Mail vom Mailserver angenommen',
    failed: 'Mail nicht verschickt',
  },
  state: {
    open: 'Offen',
    requested: 'Adresse noch nicht bestätigt',
    accepted: 'Angenommen',
    revoked: 'Zurückgezogen',
    expired: 'Abgelaufen',
  },
  newLink: 'Neuen Link anlegen',
  newLinkHint: 'Ein bereits weitergegebener Link gilt dann nicht mehr.',
};
