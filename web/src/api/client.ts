// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** What went wrong, in words that can be shown. `status` 0: the server was not reached. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    message: string,
    readonly requestId: string = '',
    readonly retryAfterSeconds: number | null = null,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** How somebody can prove that they are still who signed in; "link": by signing in anew with one that is mailed. */
export type ProofMethod = 'password' | 'otp' | 'link' | `provider:${string}`;

/** The server wants to know that it is still the same person before it does this. */
export class ProofWanted extends ApiError {
  constructor(message: string, requestId: string, readonly methods: readonly ProofMethod[]) {
    super(403, message, requestId);
    this.name = 'ProofWanted';
  }
}

export interface Ask {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  query?: Record<string, string | number | boolean | null | undefined>;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as a form, which is what the calls of Seafile take. */
  form?: Record<string, string> | URLSearchParams;
  /** Sent as it is, under its own type. */
  file?: Blob;
  /** What is sent proves who somebody is: a refusal is about that, and nobody was signed out. */
  proves?: boolean;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

export interface Answer<T> {
  body: T;
  etag: string | null;
  headers: Headers;
}

type Listener = () => void;
const signedOutListeners = new Set<Listener>();

/** Called when the server no longer knows who we are. */
export function onSignedOut(listener: Listener): void {
  signedOutListeners.add(listener);
}

/** Asks the person for a proof; true once the server has accepted it. */
type Prover = (methods: readonly ProofMethod[]) => Promise<boolean>;
let prover: Prover = () => Promise.resolve(false);
let proving: Promise<boolean> | null = null;

/** Who asks, when a request needs a proof. */
export function proveBy(next: Prover): void {
  prover = next;
}

/** Requests that want a proof at the same time share one question. */
function prove(methods: readonly ProofMethod[]): Promise<boolean> {
  proving ??= prover(methods).finally(() => { proving = null; });
  return proving;
}

export function address(path: string, query: Ask['query'] = {}): string {
  const words = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== null && value !== undefined) {
      words.set(name, String(value));
    }
  }
  const text = words.toString();
  return text === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${text}`;
}

/**
 * One request. Throws ApiError for everything but success. Where the server wants a proof, the person is asked, and the
 * request is made again; ProofWanted is thrown when they think better of it.
 */
export async function ask<T>(path: string, options: Ask = {}): Promise<Answer<T>> {
  try {
    return await askOnce<T>(path, options);
  } catch (error) {
    if (!(error instanceof ProofWanted) || !await prove(error.methods)) {
      throw error;
    }
    return askOnce<T>(path, options);
  }
}

async function askOnce<T>(path: string, options: Ask): Promise<Answer<T>> {
  const headers: Record<string, string> = { Accept: 'application/json', 'X-Requested-With': 'atrium', ...options.headers };
  let body: string | URLSearchParams | Blob | undefined;
  if (options.json !== undefined) {
    headers['Content-Type'] = 'application/json';
    body = JSON.stringify(options.json);
  } else if (options.form !== undefined) {
    body = new URLSearchParams(options.form);
  } else if (options.file !== undefined) {
    headers['Content-Type'] = options.file.type;
    body = options.file;
  }
  const reply = await reach(address(path, options.query), {
    method: options.method ?? 'GET', headers, body: body ?? null, signal: options.signal ?? null, credentials: 'same-origin',
  });
  if (!reply.ok) {
    throw await refusal(reply, options.proves === true);
  }
  return { body: (await content(reply)) as T, etag: reply.headers.get('ETag'), headers: reply.headers };
}

/** As `ask`, for who only wants what came back. */
export async function fetchBody<T>(path: string, options: Ask = {}): Promise<T> {
  return (await ask<T>(path, options)).body;
}

async function reach(url: string, request: RequestInit): Promise<Response> {
  try {
    return await fetch(url, request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') {
      throw error;
    }
    throw new ApiError(0, '');
  }
}

async function content(reply: Response): Promise<unknown> {
  const text = await reply.text();
  if (text === '') {
    return null;
  }
  return /\bjson\b/.test(reply.headers.get('Content-Type') ?? '') ? JSON.parse(text) : text;
}

async function refusal(reply: Response, proves: boolean): Promise<ApiError> {
  let told: Record<string, unknown> = {};
  try {
    told = (await reply.json()) as Record<string, unknown>;
  } catch {
    // Not JSON: the status alone has to do.
  }
  if (reply.status === 401 && !proves) {
    signedOutListeners.forEach((listener) => listener());
  }
  const words = told['detail'] ?? told['error_msg'] ?? told['title'] ?? '';
  const text = typeof words === 'string' ? words : '';
  const requestId = String(told['request_id'] ?? '');
  if (reply.status === 403 && told['code'] === 'recent_proof_required' && Array.isArray(told['methods'])) {
    return new ProofWanted(text, requestId, told['methods'] as ProofMethod[]);
  }
  const wait = Number(reply.headers.get('Retry-After'));
  return new ApiError(reply.status, text, requestId, Number.isFinite(wait) && wait > 0 ? wait : null);
}
