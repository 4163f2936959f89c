// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { ApiError, address } from './client';
import { JsonLines } from './ndjson';

export const IMPORT_BYTES_MAX = 64 * 1024 * 1024;

export interface ImportRefusal {
  line: number;
  uid: string;
  summary: string;
  reason: string;
}

/** Which zone was taken for what the file calls its zone. */
export interface ImportZone {
  /** Empty: times without a zone. */
  tzid: string;
  zone: string;
  note: string;
}

export interface ImportReport {
  added: number;
  updated: number;
  unchanged: number;
  /** How many there are; of these and of the notes at most the first thousand are told. */
  refused_count: number;
  refused: ImportRefusal[];
  /** Zones that are called otherwise in the file, or have other rules there; at most the first hundred are told. */
  zones_count: number;
  zones: ImportZone[];
  notes_count: number;
  notes: string[];
  /** Why it ended before the end of the file. What is in by then stays. */
  stopped?: string | null;
}

/** First the file is sent (in bytes), then the server brings it in (in entries). */
export interface ImportProgress {
  stage: 'send' | 'enter';
  done: number;
  of: number;
}

type Line = { done: number; of: number } | ImportReport;

export const exportAddress = (calendar: string): string => address(`/api/calendars/${calendar}/export`);

/** Reads the reply as it grows. */
class ReplyReader {
  private readonly lines = new JsonLines<Line>();
  private read = 0;
  report: ImportReport | null = null;

  constructor(private readonly onProgress: (progress: ImportProgress) => void) {}

  take(text: string): void {
    this.put(this.lines.take(text.slice(this.read)));
    this.read = text.length;
  }

  end(text: string): void {
    this.take(text);
    this.put(this.lines.end());
  }

  private put(lines: Line[]): void {
    for (const line of lines) {
      if ('added' in line) {
        this.report = line;
      } else {
        this.onProgress({ stage: 'enter', done: line.done, of: line.of });
      }
    }
  }
}

function refusal(request: XMLHttpRequest): ApiError {
  try {
    const told = JSON.parse(request.responseText) as { detail?: string; request_id?: string };
    return new ApiError(request.status, told.detail ?? '', told.request_id ?? '');
  } catch {
    return new ApiError(request.status, '');
  }
}

interface Import {
  calendar: string;
  file: Blob;
  onProgress: (progress: ImportProgress) => void;
  /** Ends the import where it is; what is in by then stays. */
  signal: AbortSignal;
}

/** Brings a file into a calendar. With fetch nobody knows what was sent so far, so this is an XMLHttpRequest. */
export function importFile({ calendar, file, onProgress, signal }: Import): Promise<ImportReport> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const reader = new ReplyReader(onProgress);
    const read = (how: 'take' | 'end') => {
      try {
        reader[how](request.responseText);
      } catch {
        reject(new ApiError(0, ''));
        request.abort();
      }
    };
    request.open('POST', `/api/calendars/${calendar}/import`);
    request.setRequestHeader('Content-Type', 'text/calendar');
    request.setRequestHeader('Accept', 'application/x-ndjson');
    request.setRequestHeader('X-Requested-With', 'atrium');
    request.upload.onprogress = (event) => onProgress({ stage: 'send', done: event.loaded, of: event.total });
    request.onprogress = () => { if (request.status === 200) read('take'); };
    request.onerror = () => reject(new ApiError(0, ''));
    request.onabort = () => reject(new DOMException('', 'AbortError'));
    request.onload = () => {
      if (request.status !== 200) {
        reject(refusal(request));
        return;
      }
      read('end');
      // A reply without report was cut off.
      reader.report === null ? reject(new ApiError(0, '')) : resolve(reader.report);
    };
    signal.addEventListener('abort', () => request.abort());
    request.send(file);
  });
}
