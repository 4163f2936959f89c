// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { join } from '../paths';

/** What the queue needs of a file. */
export interface Content {
  readonly size: number;
  readonly lastModified: number;
  slice(from: number, to: number): Blob;
}

/** Where a file goes. */
export interface Target {
  library: string;
  /** The folder people were in; it is there already. */
  folder: string;
  /** Folders below it that may have to be made: "" or "a/b". */
  relative: string;
  name: string;
  /** What is there under this name becomes an older version. Else the name is believed to be free. */
  replace: boolean;
}

/**
 * waiting    for its turn
 * sending    bytes are on their way
 * placing    all of them have arrived; the server puts them where they belong
 * retrying   the server could not be reached, or had a problem: at `retryAt` it goes on by itself
 * paused     until somebody resumes it
 * locked     until the password of its library is given
 * failed     for a reason that another attempt alone does not change
 */
export type UploadState = 'waiting' | 'sending' | 'placing' | 'retrying' | 'paused' | 'locked' | 'failed' | 'done';

export interface UploadItem {
  readonly id: number;
  readonly content: Content;
  readonly target: Target;
  state: UploadState;
  /** Bytes that have arrived, as far as is known. */
  sent: number;
  error: unknown;
  /** Attempts in a row that brought nothing forward. */
  attempts: number;
  /** Milliseconds since 1970. */
  retryAt: number;
  /** Something was sent before, so that the server may have more of it than is known here. */
  begun: boolean;
  /** All of it was sent and no answer came: it may stand where it belongs. */
  mayBePlaced: boolean;
  /** Not together with others: one of them was refused, and it is to be known which. */
  alone: boolean;
}

export const isOver = (item: UploadItem): boolean => item.state === 'done' || item.state === 'failed';
export const isUnderWay = (item: UploadItem): boolean => item.state === 'sending' || item.state === 'placing';

export const folderOf = ({ folder, relative }: Target): string => join(folder, relative);
export const pathOf = (target: Target): string => join(folderOf(target), target.name);
