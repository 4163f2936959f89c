// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError } from '../../../api/client';
import { findFile } from '../../../api/folders';
import { askReceived, askUploadLink, sendForm } from '../../../api/uploads';
import { connected } from '../../../shell/connectivity';
import { pathOf, type Content, type Target } from './item';

/** Bytes `first` to `last` of a file, both included. */
export interface Piece {
  first: number;
  last: number;
}

export interface Sending {
  signal: AbortSignal;
  /** Bytes of the content that have left so far. */
  progress: (bytes: number) => void;
}

/** What the queue asks of the server. All of it throws ApiError. */
export interface Transport {
  /** How much of a file that comes in pieces has arrived. */
  received(target: Target, signal: AbortSignal): Promise<number>;
  /** Whether a file of this size stands where the target says. */
  isPlaced(target: Target, size: number, signal: AbortSignal): Promise<boolean>;
  sendPiece(target: Target, content: Content, piece: Piece, sending: Sending): Promise<void>;
  /** Small files of one folder, in one request: all of them arrive, or none. */
  sendTogether(files: readonly { target: Target; content: Content }[], sending: Sending): Promise<void>;
}

interface Parcel {
  target: Target;
  form: FormData;
  /** Of the content, without the form around it. */
  bytes: number;
  range?: string;
}

const MISSING = 404;

export class HttpTransport implements Transport {
  // By library and folder. They end after a day, and when what their owner may do changes.
  private readonly links = new Map<string, Promise<string>>();

  /** A link lets in whoever has it, as who asked for it. */
  forget(): void {
    this.links.clear();
  }

  received(target: Target, signal: AbortSignal): Promise<number> {
    return askReceived(target.library, target, signal);
  }

  async isPlaced(target: Target, size: number, signal: AbortSignal): Promise<boolean> {
    try {
      return (await findFile(target.library, pathOf(target), signal)).size === size;
    } catch (error) {
      if (error instanceof ApiError && error.status === MISSING) {
        return false;
      }
      throw error;
    }
  }

  sendPiece(target: Target, content: Content, { first, last }: Piece, sending: Sending): Promise<void> {
    const form = formFor(target);
    form.append('file', content.slice(first, last + 1), target.name);
    return this.send({ target, form, bytes: last + 1 - first, range: `bytes ${first}-${last}/${content.size}` }, [content], sending);
  }

  sendTogether(files: readonly { target: Target; content: Content }[], sending: Sending): Promise<void> {
    const target = files[0]!.target;
    const form = formFor(target);
    let bytes = 0;
    for (const file of files) {
      form.append('file', file.content.slice(0, file.content.size), file.target.name);
      bytes += file.content.size;
    }
    return this.send({ target, form, bytes }, files.map((file) => file.content), sending);
  }

  private async send({ target, form, bytes, range }: Parcel, contents: readonly Content[], sending: Sending): Promise<void> {
    const key = `${target.library}${target.folder}`;
    try {
      await sendForm(await this.link(key, target), form, {
        signal: sending.signal,
        range,
        // The form around the content has a size of its own.
        progress: (share) => sending.progress(Math.floor(share * bytes)),
      });
    } catch (error) {
      // The link may have ended, or its library may be locked by now. Asking for another one tells.
      this.links.delete(key);
      if (error instanceof ApiError && error.status === 0) {
        await checkReadable(contents);
        connected.value = false;
      }
      throw error;
    }
  }

  private link(key: string, target: Target): Promise<string> {
    const known = this.links.get(key);
    if (known !== undefined) {
      return known;
    }
    const asked = askUploadLink(target.library, target.folder);
    this.links.set(key, asked);
    asked.catch(() => this.links.delete(key));
    return asked;
  }
}

// Pieces are told apart by the fields that stand before them.
function formFor({ folder, relative, replace }: Target): FormData {
  const form = new FormData();
  form.append('parent_dir', folder);
  if (relative !== '') {
    form.append('relative_path', relative);
  }
  form.append('replace', replace ? '1' : '0');
  return form;
}

// A file that was changed or removed on the disk since it was chosen looks like a broken line. This tells them apart: it
// throws what the browser says of the file.
async function checkReadable(contents: readonly Content[]): Promise<void> {
  for (const content of contents) {
    await content.slice(0, 1).arrayBuffer();
  }
}
