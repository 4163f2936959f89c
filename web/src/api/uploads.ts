// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError, fetchBody } from './client';
import { addressOf } from './files';
import { localLink } from './folders';

/** A link that takes files for a folder and what is below it, without further credentials. */
export const askUploadLink = async (library: string, folder: string): Promise<string> =>
  localLink(await fetchBody<string>(`/api2/repos/${library}/upload-link`, { query: { p: folder, from: 'web' } }));

export const askReceived = async (
  library: string, file: { folder: string; relative: string; name: string }, signal?: AbortSignal,
): Promise<number> =>
  (await fetchBody<{ uploadedBytes: number }>(`${addressOf(library)}/file-uploaded-bytes`, {
    query: { parent_dir: file.folder, file_name: file.name, relative_path: file.relative }, signal,
  })).uploadedBytes;

export interface FormSending {
  signal: AbortSignal;
  /** How much of the form has left, from 0 to 1. */
  progress: (share: number) => void;
  /** Content-Range of the file in it. */
  range?: string | undefined;
}

/** Sends a form to a link. Not by fetch, which does not tell how far it is. */
export function sendForm(link: string, form: FormData, { signal, progress, range }: FormSending): Promise<void> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', link);
    request.setRequestHeader('Accept', 'application/json');
    request.setRequestHeader('X-Requested-With', 'atrium');
    if (range !== undefined) {
      request.setRequestHeader('Content-Range', range);
    }
    request.upload.onprogress = (event) => { if (event.lengthComputable) progress(event.loaded / event.total); };
    request.onload = () => (request.status < 300 ? resolve() : reject(refusalOf(request)));
    request.onerror = () => reject(new ApiError(0, ''));
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    signal.addEventListener('abort', () => request.abort(), { once: true });
    if (signal.aborted) {
      reject(new DOMException('', 'AbortError'));
      return;
    }
    request.send(form);
  });
}

function refusalOf(request: XMLHttpRequest): ApiError {
  let message = '';
  try {
    const told = JSON.parse(request.responseText) as Record<string, unknown>;
    message = String(told['error_msg'] ?? told['detail'] ?? '');
  } catch {
    // Not JSON: the status alone has to do.
  }
  const wait = Number(request.getResponseHeader('Retry-After'));
  return new ApiError(request.status, message, request.getResponseHeader('X-Request-Id') ?? '', Number.isFinite(wait) && wait > 0 ? wait : null);
}
