// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** What all rooms say that invite people. */
export const invitations = {
  link: 'Link to the invitation',
  qr: 'The link as a QR code',
  worksUntil: (day: string) => `It works once, until ${day}.`,
  anybody: 'Whoever has the link',
  passOn: {
    by_hand: 'Pass this link on to the person you want to invite.',
    off: (email: string) => `This server sends no mail, so ${email} hears nothing from it. Pass this link on yourself.`,
    queued: (email: string) => `A letter to ${email} is waiting to be sent. You can also pass this link on yourself.`,
    handed_over: (email: string) => `The mail server has taken the letter to ${email}. You can also pass this link on yourself.`,
    failed: (email: string) => `The letter to ${email} could not be sent. Pass this link on yourself.`,
  },
  /** After a letter was asked for once more. */
  again: {
    by_hand: (email: string) => `No letter to ${email}: pass the link on yourself`,
    off: (email: string) => `No letter to ${email}: this server sends no mail. Pass the link on yourself.`,
    queued: (email: string) => `Another letter to ${email} is waiting to be sent`,
    handed_over: (email: string) => `The mail server has taken another letter to ${email}`,
    failed: (email: string) => `Another letter to ${email} could not be sent`,
  },
  noMail: 'This server sends no mail. Make a new link and pass it on yourself.',
  delivery: {
    by_hand: 'To be passed on by link',
    off: 'No letter: this server sends no mail',
    queued: 'Letter waits to be sent',
    handed_over: 'Letter taken by the mail server',
    failed: 'Letter not sent',
  },
  state: {
    open: 'Open',
    requested: 'Address not confirmed yet',
    accepted: 'Accepted',
    revoked: 'Withdrawn',
    expired: 'Expired',
  },
  newLink: 'Make a new link',
  newLinkHint: 'A link passed on before no longer works.',
};
