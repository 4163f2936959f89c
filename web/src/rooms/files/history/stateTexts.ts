// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import type { Words } from '../../../words';

type Deeds = Words['files']['history']['deeds'];

// What the server and the clients write, in the order they are tried. A name may hold quotes itself, so names end at the
// last one.
const MORE = '(?: and (\\d+) more(?: files| directories)?)?\\.?';
const some = (deed: string): RegExp => new RegExp(`^${deed} "(.*)"${MORE}$`);

const KNOWN: [RegExp, (told: Deeds, found: RegExpExecArray) => string][] = [
  [/^Created library\.?$/, (told) => told.created],
  [/^Auto merge by (?:system|seafile system)\.?$/, (told) => told.merged],
  [/^Renamed library to "(.*)"\.?$/, (told, found) => told.libraryRenamed(found[1]!)],
  [/^Changed (?:settings of library|library name or description|library password)\.?$/, (told) => told.settings],
  [/^Changed owner of library\.?$/, (told) => told.owner],
  [/^Reverted (?:file|directory) "(.*)" to status at .*$/, (told, found) => told.reverted(found[1]!)],
  [/^(?:Reverted library to status at|Recovered library to) .*$/, (told) => told.libraryReverted],
  [/^Renamed (?:directory )?"(.*)" to "(.*)"\.?$/, (told, found) => told.renamed(found[1]!, found[2]!)],
  [some('Added directory'), (told, found) => told.addedFolder(found[1]!, moreOf(found))],
  [some('Added or modified'), (told, found) => told.put(found[1]!, moreOf(found))],
  [some('Added'), (told, found) => told.added(found[1]!, moreOf(found))],
  [some('(?:Modified|Updated)'), (told, found) => told.changed(found[1]!, moreOf(found))],
  [some('(?:Deleted|Removed)(?: directory)?'), (told, found) => told.deleted(found[1]!, moreOf(found))],
  [some('Moved(?: directory)?'), (told, found) => told.moved(found[1]!, moreOf(found))],
  [some('Copied(?: directory)?'), (told, found) => told.copied(found[1]!, moreOf(found))],
  [some('Renamed(?: directory)?'), (told, found) => told.renamedSome(found[1]!, moreOf(found))],
  [some('Recovered deleted (?:file|directory)'), (told, found) => told.restored(found[1]!, moreOf(found))],
];

const moreOf = (found: RegExpExecArray): number => Number(found[2] ?? 0);

/** What somebody did, in the language of who reads it. Of several deeds each has its line; what is not known stays as it is. */
export function describeState(description: string, told: Deeds): string {
  return description.split('\n').filter((line) => line !== '').map((line) => describeLine(line, told)).join(' · ');
}

function describeLine(line: string, told: Deeds): string {
  for (const [pattern, render] of KNOWN) {
    const found = pattern.exec(line);
    if (found !== null) {
      return render(told, found);
    }
  }
  return line;
}
