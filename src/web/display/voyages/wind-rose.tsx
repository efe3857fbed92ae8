/** The wind rose of a part of a voyage: the longer a sector, the longer the wind blew from there. */

import type { Voyage } from "../../../core/voyages/voyage.ts";
import { windRoseOf } from "../../../core/voyages/voyage.ts";
import { say } from "../languages/say.ts";

const RADIUS = 80;

export function WindRose({ part }: { readonly part: Pick<Voyage, "tracks"> }) {
  const rose = windRoseOf(part);
  if (rose.length === 0) return null;
  const most = rose.reduce((largest, { share }) => Math.max(largest, share), 0);
  const half = Math.PI / rose.length;
  const at = (angle: number, radius: number): string =>
    `${(radius * Math.sin(angle)).toFixed(1)} ${(-radius * Math.cos(angle)).toFixed(1)}`;
  return (
    <svg class="wind-rose" viewBox="-100 -100 200 200" role="img" aria-label={say("Rose of winds")}>
      <circle r={RADIUS} />
      {rose.map(({ share }, index) => {
        const radius = RADIUS * Math.sqrt(share / most);
        const angle = 2 * half * index;
        return share === 0 ? null : (
          <path
            key={angle}
            d={`M0 0L${at(angle - half, radius)}A${radius} ${radius} 0 0 1 ${at(angle + half, radius)}Z`}
          />
        );
      })}
      <text y="-86">N</text>
    </svg>
  );
}
