// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { words } from '../../../words';
import { renderMarkdown } from './markdownText';

/** A Markdown text as a page. Pictures come from the library it lies in, and from nowhere else. */
export function Markdown({ text, neighbour }: { text: string; neighbour: ((path: string) => Promise<string | null>) | undefined }) {
  const page = useRef<HTMLElement>(null);
  const html = useMemo(() => renderMarkdown(text, words.value.files.preview.remotePicture), [text]);
  useEffect(() => {
    for (const picture of page.current!.querySelectorAll<HTMLImageElement>('img[data-path]')) {
      void neighbour?.(picture.dataset['path']!).then((link) => { if (link !== null) picture.src = `${link}?op=view`; }, () => undefined);
    }
  }, [html]);
  return <article ref={page} class="files-markdown" tabIndex={0} dangerouslySetInnerHTML={{ __html: html }} />;
}
