// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useEffect, useMemo, useRef } from 'preact/hooks';

import { useLoaded } from '../../../ui/loaded';
import { Failure, Skeleton } from '../../../ui/states';
import { words } from '../../../words';

interface MarkdownProps {
  text: string;
  neighbour: ((path: string) => Promise<string | null>) | undefined;
}

/** A Markdown text as a page. What makes it one is fetched when it is first needed. */
export function Markdown(props: MarkdownProps) {
  const code = useLoaded(() => import('./markdownText'), []);
  if (code.value === undefined) {
    return code.error === null ? <div class="files-markdown"><Skeleton lines={8} /></div> : <Failure error={code.error} retry={code.reload} />;
  }
  return <Page {...props} render={code.value.renderMarkdown} />;
}

/** Pictures come from the library the text lies in, and from nowhere else. */
function Page({ text, neighbour, render }: MarkdownProps & { render: (text: string, remotePicture: (alt: string) => string) => string }) {
  const page = useRef<HTMLElement>(null);
  const html = useMemo(() => render(text, words.value.files.preview.remotePicture), [text]);
  useEffect(() => {
    for (const picture of page.current!.querySelectorAll<HTMLImageElement>('img[data-path]')) {
      void neighbour?.(picture.dataset['path']!).then((link) => { if (link !== null) picture.src = `${link}?op=view`; }, () => undefined);
    }
  }, [html]);
  return <article ref={page} class="files-markdown" tabIndex={0} dangerouslySetInnerHTML={{ __html: html }} />;
}
