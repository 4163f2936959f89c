// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

// A certified OpenID provider on a loopback port, for the black-box tests, with a thin layer that spoils its ID tokens
// on request. Prints one line of JSON with its issuer once it listens, and ends when its standard input does.
//
//   node provider.mjs [--port N] [--redirect-uri URL]...
//
// Test controls take and answer JSON:
//   POST /__test/settings      {redirect_uris, claims_in_id_token}: what is not named stays
//   POST /__test/accounts      {id, email, email_verified, name}: adds one, or writes it anew
//   POST /__test/rotate-keys   {}: new keys; the old ones are no longer published
//   POST /__test/tamper        {nonce, skew_seconds, claims, foreign_key, unsigned}: spoils ID tokens until called again
//   GET  /__test/requests      how often each path was asked for

import { createServer } from 'node:http';
import { parseArgs } from 'node:util';

import * as jose from 'jose';
import Provider from 'oidc-provider';

const { values: options } = parseArgs({
  options: {
    port: { type: 'string', default: '0' },
    'redirect-uri': { type: 'string', multiple: true, default: ['http://127.0.0.1/callback'] },
  },
});

const CONFIDENTIAL = { client_id: 'atrium', client_secret: 'atrium-secret', id_token_signed_response_alg: 'RS256' };
const PUBLIC = {
  client_id: 'atrium-public',
  token_endpoint_auth_method: 'none',
  id_token_signed_response_alg: 'ES256',
};

const settings = { redirect_uris: options['redirect-uri'], claims_in_id_token: false };
const accounts = new Map();
const requests = {};
let keys;
let tampering = {};
let issuer;
let provider;

function putAccount({ id, ...claims }) {
  accounts.set(id, { ...claims, sub: id });
}

async function makeKey(alg, kid) {
  const { privateKey } = await jose.generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  return { ...(await jose.exportJWK(privateKey)), alg, kid, use: 'sig' };
}

let generation = 0;
async function makeKeys() {
  generation += 1;
  return [await makeKey('RS256', `rsa-${generation}`), await makeKey('ES256', `ec-${generation}`)];
}

// Keys and clients are fixed when a provider is made, so each change makes a new one. Codes, grants and sessions live in
// the memory adapter, which all of them share.
function makeProvider() {
  const made = new Provider(issuer, {
    clients: [CONFIDENTIAL, PUBLIC].map((client) => ({ ...client, redirect_uris: settings.redirect_uris })),
    jwks: { keys },
    cookies: { keys: ['only for tests'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'], profile: ['name', 'picture', 'locale'] },
    conformIdTokenClaims: !settings.claims_in_id_token,
    pkce: { required: () => true },
    enabledJWA: { idTokenSigningAlgValues: ['RS256', 'ES256'] },
    findAccount: (_, id) => {
      const claims = accounts.get(id);
      return claims && { accountId: id, claims: () => claims };
    },
  });
  made.use(async (context, next) => {
    await next();
    if (context.oidc?.route === 'token' && context.body?.id_token) {
      context.body.id_token = await tamper(context.body.id_token);
    }
  });
  return made;
}

async function tamper(token) {
  if (Object.keys(tampering).length === 0) {
    return token;
  }
  const header = jose.decodeProtectedHeader(token);
  const claims = { ...jose.decodeJwt(token), ...tampering.claims };
  claims.iat += tampering.skew_seconds ?? 0;
  claims.exp += tampering.skew_seconds ?? 0;
  claims.nonce = tampering.nonce ?? claims.nonce;
  if (tampering.unsigned) {
    return new jose.UnsecuredJWT(claims).encode();
  }
  const jwk = tampering.foreign_key ? await makeKey(header.alg) : keys.find((key) => key.kid === header.kid);
  return new jose.SignJWT(claims).setProtectedHeader(header).sign(await jose.importJWK(jwk, header.alg));
}

const controls = {
  'POST settings': (body) => {
    Object.assign(settings, body);
    provider = makeProvider();
  },
  'POST accounts': putAccount,
  'POST rotate-keys': async () => {
    keys = await makeKeys();
    provider = makeProvider();
  },
  'POST tamper': (body) => {
    tampering = body;
  },
  'GET requests': () => requests,
};

async function control(request, response) {
  const run = controls[`${request.method} ${request.url.slice('/__test/'.length)}`];
  if (!run) {
    response.writeHead(404).end();
    return;
  }
  let text = '';
  for await (const chunk of request) {
    text += chunk;
  }
  const answer = await run(text ? JSON.parse(text) : {});
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer ?? {}));
}

function serve(request, response) {
  if (request.url.startsWith('/__test/')) {
    control(request, response).catch((error) => response.writeHead(500).end(String(error)));
    return;
  }
  const path = request.url.split('?')[0];
  requests[path] = (requests[path] ?? 0) + 1;
  provider.callback()(request, response);
}

putAccount({ id: 'ann', email: 'ann@example.org', email_verified: true, name: 'Ann Example', locale: 'en' });
putAccount({ id: 'bob', email: 'bob@example.org', email_verified: false, name: 'Bob Example' });
keys = await makeKeys();

const server = createServer(serve);
server.listen(Number(options.port), '127.0.0.1', () => {
  issuer = `http://127.0.0.1:${server.address().port}`;
  provider = makeProvider();
  console.log(JSON.stringify({ issuer }));
});

// Whoever started us holds the other end: if they vanish, so do we.
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
