// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** Asks again and again until the answer is neither false nor empty, and returns it. */
export async function eventually<T>(
  what: string, probe: () => Promise<T> | T, seconds = 20,
): Promise<NonNullable<T>> {
  const until = Date.now() + seconds * 1000;
  for (;;) {
    const answer = await probe();
    if (answer) {
      return answer as NonNullable<T>;
    }
    if (Date.now() > until) {
      throw new Error(`${what} did not come within ${seconds} s`);
    }
    await new Promise((next) => setTimeout(next, 20));
  }
}
