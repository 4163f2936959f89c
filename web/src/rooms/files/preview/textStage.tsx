// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { useRef, useState } from 'preact/hooks';

import { findDraft } from '../../../shell/drafts';
import { Button } from '../../../ui/button';
import { useLoaded } from '../../../ui/loaded';
import { renderBytes } from '../../../ui/sizes';
import { EmptyState, Failure, Skeleton } from '../../../ui/states';
import { language, words } from '../../../words';
import { Markdown } from './markdown';
import type { Guard, PreviewItem } from './stage';
import { readText, TEXT_BYTES_MAX } from './text';
import { isTextDraft, TextEditor } from './textEditor';
import { TextForm } from './textForm';

/** A text: as it is, or as the page that its Markdown describes. */
export function TextStage({ item, link, isMarkdown, guard }: { item: PreviewItem; link: string; isMarkdown: boolean; guard: Guard }) {
  const told = words.value.files.preview;
  const place = `file/${item.place ?? ''}`;
  const read = useLoaded(async (signal) => {
    const [text, left] = await Promise.all([readText(link, item.size, signal), item.write ? findDraft(place, isTextDraft) : null]);
    return { ...text, left };
  }, [link]);
  const base = useRef(item.id);
  const [isSource, setSource] = useState(!isMarkdown);
  const [wantsEdit, setEdited] = useState<boolean | null>(item.isNew === true ? true : null);
  if (read.value === undefined) {
    return read.error === null ? <div class="files-stage-loading"><Skeleton lines={12} /></div> : <Failure error={read.error} retry={read.reload} />;
  }
  const { read: decoded, isCut, left } = read.value;
  if (decoded === null) {
    return <EmptyState title={told.notText} />;
  }
  const { text, encoding } = decoded;
  const mayEdit = item.write !== undefined && !isCut && encoding !== null;
  if (mayEdit && (wantsEdit ?? left !== null)) {
    const write: Parameters<typeof TextEditor>[0]['write'] = async (next) => {
      base.current = await item.write!(next.bytes, next.base);
      read.show({ read: { text: next.text, encoding: next.encoding }, isCut: false, left: null });
      setEdited(false);
    };
    const leave = () => {
      read.show({ read: decoded, isCut, left: null });
      setEdited(false);
    };
    return <TextEditor name={item.name} place={place} text={text} encoding={encoding} base={base.current} restored={left} write={write}
      leave={leave} guard={guard} />;
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
        {mayEdit && <Button onClick={() => setEdited(true)}>{told.edit}</Button>}
        {!isCut && <TextForm text={text} encoding={encoding} />}
        {item.write && !isCut && encoding === null && <span class="muted">{told.notEditable}</span>}
        {isCut && <span class="muted">{told.cutText(renderBytes(TEXT_BYTES_MAX, language.value), renderBytes(item.size, language.value))}</span>}
      </div>
      {text === '' && <p class="muted files-stage-none">{told.emptyFile}</p>}
      {isSource ? <pre class="files-stage-source" tabIndex={0}>{text}</pre> : <Markdown text={text} neighbour={item.neighbour} />}
    </div>
  );
}
