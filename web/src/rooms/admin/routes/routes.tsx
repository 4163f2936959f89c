// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { ExternalLink, SearchX } from 'lucide-preact';

import { fetchBody } from '../../../api/client';
import { TextField } from '../../../ui/field';
import { useLoaded } from '../../../ui/loaded';
import { EmptyState } from '../../../ui/states';
import { renderBytes } from '../../../ui/sizes';
import { locale, words } from '../../../words';
import { PageHead, Shown } from '../parts';
import { findRoutes, groupsOf, routesOf, type ApiDocument, type ApiRoute } from './openapi';

const DOCUMENT = '/api/openapi.json';

/** Everything that can be asked of this server, for who writes programs. */
export function ApiRoutes() {
  const told = words.value.admin.api;
  const routes = useLoaded(async (signal) => routesOf(await fetchBody<ApiDocument>(DOCUMENT, { signal })), []);
  const [typed, setTyped] = useState('');
  return (
    <>
      <PageHead title={words.value.admin.pages.api} hint={told.hint}>
        <a class="button button-plain" href={DOCUMENT} target="_blank" rel="noreferrer">
          <ExternalLink />
          {told.document}
        </a>
      </PageHead>
      <div class="admin-filters">
        <TextField
          label={told.search}
          placeholder={told.searchPlaceholder}
          type="search"
          value={typed}
          onValue={setTyped}
          autocomplete="off"
          spellcheck={false}
        />
      </div>
      <Shown loaded={routes} lines={12}>
        {(all) => <Found routes={findRoutes(all, typed)} />}
      </Shown>
    </>
  );
}

function Found({ routes }: { routes: ApiRoute[] }) {
  const told = words.value.admin.api;
  if (routes.length === 0) {
    return <EmptyState icon={<SearchX />} title={words.value.common.nothingFound} />;
  }
  return (
    <>
      <p class="muted" role="status">
        {told.count(routes.length)}
      </p>
      {groupsOf(routes).map(([name, group]) => (
        <section key={name} class="card admin-api" aria-label={name || told.others}>
          <h2>{name || told.others}</h2>
          <ul>
            {group.map((route) => (
              <Line key={`${route.method} ${route.path}`} route={route} />
            ))}
          </ul>
        </section>
      ))}
    </>
  );
}

function Line({ route }: { route: ApiRoute }) {
  const told = words.value.admin.api;
  return (
    <li>
      <span class={`admin-method admin-method-${route.method.toLowerCase()}`}>{route.method}</span>
      <div>
        <code>{route.path}</code>
        <small lang="en">{route.summary}</small>
      </div>
      <span class="badge">{route.access}</span>
      {route.bodyBytesMax > 0 && (
        <small class="muted">{told.body(renderBytes(route.bodyBytesMax, locale.value))}</small>
      )}
    </li>
  );
}
