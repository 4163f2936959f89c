// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/**
 * Puts lines of JSON together from what arrives in pieces, which may end anywhere. A line that is no JSON is told by
 * an exception: it means that the connection was cut, or that somebody in between answered.
 */
export class JsonLines<T> {
  private rest = '';

  /** The lines that are complete by now. */
  take(piece: string): T[] {
    const lines = (this.rest + piece).split('\n');
    this.rest = lines.pop()!;
    return lines.filter((line) => line.trim() !== '').map((line) => JSON.parse(line) as T);
  }

  /** What came after the last line break, once nothing comes any more. */
  end(): T[] {
    return this.take('\n');
  }
}
