// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'preact/hooks';

import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { language, words } from '../../../words';
import { Markdown } from './markdown';
import type { Guard, PreviewItem } from './stage';
import { readText, TEXT_BYTES_MAX } from './text';
import { TextEditor } from './textEditor';

/** A text: as it is, or as the page that its Markdown describes. */
export function TextStage({ item, link, isMarkdown, guard }: { item: PreviewItem; link: string; isMarkdown: boolean; guard: Guard }) {
  const told = words.value.files.preview;
  const read = useLoaded((signal) => readText(link, item.size, signal), [link]);
  const base = useRef(item.id);
  const [isSource, setSource] = useState(!isMarkdown);
  const [isEdited, setEdited] = useState(item.isNew === true);
  if (read.value === undefined) {
    return read.error === null ? <div class="files-stage-loading"><Skeleton lines={12} /></div> : <Failure error={read.error} retry={read.reload} />;
  }
  const { text, isCut } = read.value;
  if (text === null) {
    return <EmptyState title={told.notText} />;
  }
  if (isEdited && item.write) {
    const write = async (next: string) => {
      base.current = await item.write!(next, base.current);
      read.show({ text: next, isCut: false });
      setEdited(false);
    };
    return <TextEditor name={item.name} text={text} write={write} leave={() => setEdited(false)} guard={guard} />;
  }
  return (
    <div class="files-stage-text">
      <div class="files-stage-tools">
        {isMarkdown && (
          <div class="segments" role="group" aria-label={told.look}>
            <button type="button" aria-pressed={!isSource} onClick={() => setSource(false)}>{told.rendered}</button>
            <button type="button" aria-pressed={isSource} onClick={() => setSource(true)}>{told.source}</button>
          </div>
        )}
        {item.write && !isCut && <Button onClick={() => setEdited(true)}>{told.edit}</Button>}
        {isCut && <span class="muted">{told.cutText(renderBytes(TEXT_BYTES_MAX, language.value), renderBytes(item.size, language.value))}</span>}
      </div>
      {text === '' && <p class="muted files-stage-none">{told.emptyFile}</p>}
      {isSource ? <pre class="files-stage-source" tabIndex={0}>{text}</pre> : <Markdown text={text} neighbour={item.neighbour} />}
    </div>
  );
}
