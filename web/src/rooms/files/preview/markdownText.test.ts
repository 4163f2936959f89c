// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { describe, expect, it } from 'vitest';

import { tame } from './markdownText';

// That nothing can run is the part of DOMPurify, which needs a real browser and is tested in one.
function tamed(html: string): string {
  const page = document.createElement('div');
  page.innerHTML = html;
  tame(page, (alt) => `[${alt}]`);
  return page.innerHTML;
}

describe('a page made of Markdown', () => {
  it('loads no pictures from elsewhere', () => {
    expect(tamed('<img src="https://example.org/cat.png" alt="cat">')).toBe('[cat]');
    expect(tamed('<img src="//example.org/cat.png" alt="cat">')).toBe('[cat]');
    expect(tamed('<img src="data:image/png;base64,AA" alt="">')).toBe('[]');
  });

  it('keeps the path of pictures beside it', () => {
    const html = tamed('<img src="pics/my%20cat.png#x" alt="cat">');
    expect(html).toContain('data-path="pics/my cat.png"');
    expect(html).not.toContain('src=');
    expect(tamed('<img src="100%.png">')).toContain('data-path="100%.png"');
  });

  it('opens links elsewhere, and no others', () => {
    expect(tamed('<a href="https://example.org">a</a>')).toContain('rel="noopener noreferrer"');
    expect(tamed('<a href="/admin">a</a>')).toBe('<a>a</a>');
    expect(tamed('<a href="#x">a</a>')).toBe('<a>a</a>');
  });
});
