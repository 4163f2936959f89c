// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

/** One host on each line, or with commas between: as people type it. */
export function readHosts(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).map((host) => host.trim().toLowerCase()).filter((host) => host !== ''))];
}

/** The first that looks like an address rather than like a host name; null when all are well. */
export function findWrongHost(hosts: readonly string[]): string | null {
  return hosts.find((host) => !/^(\[[0-9a-f:.]+\]|[a-z0-9]([a-z0-9.-]*[a-z0-9])?)$/.test(host)) ?? null;
}
