// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
import { filesConnect } from './filesConnect';
import { filesHistory } from './filesHistory';
import { filesLibraries } from './filesLibraries';
import { filesPreview } from './filesPreview';
import { filesTransfers } from './filesTransfers';
import { plural } from './counting';

export const files = {
  connect: filesConnect,
  history: filesHistory,
  libraries: filesLibraries,
  preview: filesPreview,
  transfers: filesTransfers,

  // A folder.
  breadcrumbs: 'Path',
  name: 'Name',
  size: 'Size',
  changed: 'Changed',
  contentOf: (folder: string) => `Content of ${folder}`,
  table: 'List',
  grid: 'Pictures',
  look: 'Look',
  selectAll: 'Select all',
  select: (name: string) => `Select ${name}`,
  selected: (count: number) => `${count} selected`,
  clearSelection: 'Clear selection',
  folder: 'Folder',
  count: (folders: number, files: number) =>
    [folders > 0 ? plural(folders, { one: '1 folder', other: `${folders} folders` }) : '', files > 0 ? plural(files, { one: '1 file', other: `${files} files` }) : '']
      .filter((part) => part !== '').join(', '),
  readOnly: 'You can look at this library, but not change it.',
  folderEmpty: 'This folder is empty',
  folderEmptyHint: 'Drop files or whole folders here, or use the buttons above.',
  folderEmptyReadOnly: 'There is nothing in it yet.',
  folderMissing: 'This folder is not there any more',
  folderMissingHint: 'Somebody may have moved, renamed or deleted it. The trash of the library keeps what was deleted.',
  libraryMissing: 'This library is not there',
  libraryMissingHint: 'It may have been deleted or given to somebody else, or the link is meant for another person.',
  toLibrary: 'Go to the library',
  toLibraries: 'All libraries',
  dropHere: (folder: string) => `Drop to upload to ${folder}`,
  entryMenu: (name: string) => `Actions for ${name}`,
  moreActions: 'More actions',

  // What can be done.
  open: 'Open',
  download: 'Download',
  downloadArchive: 'Download as ZIP',
  upload: 'Upload',
  uploadFiles: 'Upload files',
  uploadFolder: 'Upload a folder',
  newFolder: 'New folder',
  newFile: 'New text file',
  create: 'Create',
  rename: 'Rename',
  move: 'Move',
  copy: 'Copy',
  delete: 'Delete',
  details: 'Details',
  versions: 'Versions',
  refresh: 'Refresh',
  connectLibrary: 'Connect a computer',
  settings: 'Settings',
  librarySettings: 'Library settings',
  historyOf: 'History',
  trash: 'Trash',

  newFolderName: 'Name of the folder',
  newFolderDefault: 'New folder',
  newFileName: 'Name of the file',
  newFileDefault: 'Notes.txt',
  renameOf: (name: string) => `Rename “${name}”`,
  newName: 'New name',
  nameTaken: 'This name is taken here.',
  nameFaults: {
    empty: 'Give it a name.',
    slash: 'A name cannot contain “/”.',
    dots: 'This name has a meaning of its own. Choose another one.',
    long: 'This name is too long.',
  },
  made: (name: string) => `“${name}” is there`,
  renamed: (name: string) => `Renamed to “${name}”`,
  deleted: (name: string, count: number) => plural(count, { one: `“${name}” is in the trash`, other: `${count} entries are in the trash` }),
  restored: (count: number) => plural(count, { one: 'Back in its place', other: `${count} entries are back in their place` }),
  moved: (count: number, folder: string) => plural(count, { one: `Moved to ${folder}`, other: `${count} entries moved to ${folder}` }),
  copied: (count: number, folder: string) => plural(count, { one: `Copied to ${folder}`, other: `${count} entries copied to ${folder}` }),

  // Choosing a folder.
  moveTo: (name: string, count: number) => plural(count, { one: `Move “${name}” to …`, other: `Move ${count} entries to …` }),
  copyTo: (name: string, count: number) => plural(count, { one: `Copy “${name}” to …`, other: `Copy ${count} entries to …` }),
  moveHere: 'Move here',
  copyHere: 'Copy here',
  chooseLibrary: 'Library',
  noFolders: 'No folders in here.',
  up: 'One folder up',
  intoItself: 'A folder cannot go into itself.',
  alreadyHere: 'It is here already.',
  encryptedStays: 'What is in an encrypted library stays in it: it cannot be copied to or from others.',

  // Names that are taken.
  taken: (count: number) => plural(count, { one: 'One name is taken', other: `${count} names are taken` }),
  takenHint: 'What should become of these?',
  andMore: (count: number) => `and ${count} more`,
  replace: 'Replace',
  replaceHint: 'What is there stays in the history, from where it can be brought back.',
  keepBoth: 'Keep both',
  keepBothHint: 'The new ones get a number.',
  skip: 'Skip',
  skipHint: 'What is there stays as it is.',

  // Searching.
  searchAll: 'Search all libraries by name',
  searchHere: 'Search this library by name',
  searchTitle: (text: string) => `Search for “${text}”`,
  searchIn: (library: string) => `in ${library}`,
  searchEverywhere: 'Search all libraries',
  found: (count: number, more: boolean) => (more ? `More than ${count} found` : `${count} found`),
  foundNothing: 'Nothing of that name',
  foundNothingHint: 'Names are searched, not what is in the files. A part of the name is enough; case and accents do not matter.',
  cutOff: 'There was too much to look at, so not everything was seen. Search within one library, or for more of the name.',
  showInFolder: 'Show in its folder',

  // Encrypted libraries.
  encrypted: 'Encrypted',
  locked: (library: string) => `“${library}” is encrypted`,
  lockedHint: 'Its password opens it for you. The server keeps it in memory until you have not used the library for an hour, and writes it nowhere.',
  lockedAgain: 'The library has closed itself. With its password you go on where you were.',
  password: 'Password of the library',
  unlock: 'Open',
  wrongPassword: 'This is not the password of the library.',
  tooManyPasswords: 'Too many wrong passwords. Wait a quarter of an hour, then try again.',
};
