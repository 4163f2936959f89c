// SPDX-FileCopyrightText: The Atrium authors
// SPDX-License-Identifier: Apache-2.0

interface Arch {
  half: number;
  top: number;
  floor: number;
}

const CENTRE = 300;
// What is farther away is smaller, and stands higher.
const ARCHES: Arch[] = [
  { half: 262, top: 90, floor: 786 }, { half: 204, top: 182, floor: 742 }, { half: 154, top: 262, floor: 704 },
  { half: 112, top: 330, floor: 672 }, { half: 78, top: 386, floor: 646 }, { half: 50, top: 432, floor: 626 },
];
const INNERMOST = ARCHES[ARCHES.length - 1]!;
const SUN = 30;

/** Two posts and a half circle over them. */
function outline({ half, top, floor }: Arch): string {
  const spring = top + half;
  return `M${CENTRE - half} ${floor}V${spring}A${half} ${half} 0 0 1 ${CENTRE + half} ${spring}V${floor}Z`;
}

/** A view through one arch after the other, to where the light comes from. */
export function Arches() {
  const { floor } = INNERMOST;
  return (
    <svg class="arches" viewBox="0 0 600 900" preserveAspectRatio="xMidYMax slice">
      {ARCHES.map((arch, index) => <path key={arch.half} class={`arch-${index}`} d={outline(arch)} />)}
      <path class="arch-sun" d={`M${CENTRE - SUN} ${floor}A${SUN} ${SUN} 0 0 1 ${CENTRE + SUN} ${floor}Z`} />
    </svg>
  );
}
