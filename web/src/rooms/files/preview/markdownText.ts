// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import createPurifier from 'dompurify';
import { Marked } from 'marked';

// One of our own, so that its rules are nobody else's.
const purifier = createPurifier(window);

// Browsers complain of handlers and styles in HTML as soon as they read it, long before they are taken out. This is about
// those complaints alone: nothing relies on it.
const marked = new Marked({ renderer: { html: ({ text }) => text.replace(/\s(?:on\w+|style)\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/gi, '') } });

/** HTML that cannot run, load or imitate anything. Pictures of the same library keep their path in `data-path`. */
export function renderMarkdown(text: string, remotePicture: (alt: string) => string): string {
  const html = marked.parse(text, { async: false, gfm: true });
  const page = purifier.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog', 'video', 'audio', 'source', 'picture', 'map', 'area'],
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset', 'background', 'usemap'],
    RETURN_DOM_FRAGMENT: true,
  });
  tame(page, remotePicture);
  const around = document.createElement('div');
  around.append(page);
  return around.innerHTML;
}

/** What is harmless for the browser may still lead or tell somebody elsewhere. */
export function tame(page: ParentNode, remotePicture: (alt: string) => string): void {
  page.querySelectorAll('img').forEach((picture) => tamePicture(picture, remotePicture));
  page.querySelectorAll('a').forEach(tameLink);
}

const HAS_SCHEME = /^([a-z][a-z0-9+.-]*:|\/\/)/i;

function tamePicture(picture: HTMLImageElement, remotePicture: (alt: string) => string): void {
  const source = picture.getAttribute('src') ?? '';
  if (source === '' || HAS_SCHEME.test(source)) {
    // Whoever wrote the text would learn when and from where it is read.
    picture.replaceWith(remotePicture(picture.alt));
    return;
  }
  picture.removeAttribute('src');
  picture.alt ||= '';
  // Without a text it is an ornament, and is read out as nothing.
  picture.alt = picture.alt || '';
  picture.dataset['path'] = decoded(source.replace(/[?#].*$/, ''));
}

function tameLink(link: HTMLAnchorElement): void {
  const target = link.getAttribute('href') ?? '';
  if (/^(https?|mailto|tel):/i.test(target)) {
    link.target = '_blank';
    link.rel = 'noopener noreferrer';
  } else {
    // Within the page of the app it would lead somewhere else than the writer meant.
    link.removeAttribute('href');
  }
}

function decoded(path: string): string {
  try {
    return decodeURIComponent(path);
  } catch {
    return path;
  }
}
