// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0
// Loaded before dynalite: every write of its store waits for the disk, as every write of ours does.
'use strict'
const { ClassicLevel } = require('classic-level')

for (const [name, optionsAt] of [['_put', 2], ['_del', 1], ['_batch', 1]]) {
  const write = ClassicLevel.prototype[name]
  ClassicLevel.prototype[name] = function (...words) {
    words[optionsAt] = { ...words[optionsAt], sync: true }
    return write.apply(this, words)
  }
}
