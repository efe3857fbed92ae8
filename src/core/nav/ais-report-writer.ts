/**
 * Writes `data` of the AIS report: own ship, and every target with its range, bearing and closest approach. The same
 * targets and the same own ship give the same bytes.
 */
import { membersWriterOf, numberWritersOf, writerOf } from "../report/write.ts";
import { type AsciiBuffer, encodeText } from "../text/ascii-buffer.ts";
import { approachMembers, ownShip, targetMembers } from "./ais-report.ts";
import type { Approach, Track } from "./ais-targets.ts";
import { closestApproach, type Vector, vector } from "./closest-approach.ts";
import { greatCirclesFrom } from "./great-circle.ts";
import type { OwnShip } from "./own-ship.ts";
import { isLost } from "./reporting-interval.ts";

const writeOwnShip = writerOf(ownShip);
const writeTarget = membersWriterOf(targetMembers);
const write = numberWritersOf(approachMembers);

const OPEN = encodeText('{"ownShip":');
const TARGETS = encodeText(',"targets":[');
const COMMA = encodeText(",");
const CLOSE = encodeText("]}");

type LineTo = ReturnType<typeof greatCirclesFrom>;

/** A target, and its text in the last report. */
export type WritableTarget = Pick<Track, "target" | "text">;

/** Writes `data` for these targets at `now`, in their order, and updates their approaches. */
export function writeAisData(
  out: AsciiBuffer,
  targets: readonly WritableTarget[],
  own: OwnShip | undefined,
  now: number,
): void {
  const lineTo = own && greatCirclesFrom(own);
  const ownVelocity = own && velocity(own);
  out.write(OPEN);
  writeOwnShip(out, { position: own });
  out.write(TARGETS);
  targets.forEach(({ target, text }, index) => {
    if (index > 0) out.write(COMMA);
    const begin = out.at;
    if (text.length === 0) {
      writeTarget(out, target);
      text.copyFrom(out, begin);
    } else out.writeBytes(text);
    updateApproach(target, lineTo, ownVelocity, now);
    write.range(out, target.range);
    write.bearing(out, target.bearing);
    write.cpa(out, target.cpa);
    write.tcpa(out, target.tcpa);
    out.closeObject(begin);
  });
  out.write(CLOSE);
}

const velocity = ({ cog, sog }: Pick<OwnShip, "cog" | "sog">): Vector | undefined =>
  cog === undefined || sog === undefined ? undefined : vector(cog, sog);

/**
 * Range and bearing need both positions, the closest approach both courses and speeds too: a lost ship is not where she
 * was.
 */
function updateApproach(
  target: Approach,
  lineTo: LineTo | undefined,
  ownVelocity: Vector | undefined,
  now: number,
): void {
  const line = lineTo && target.position && lineTo(target.position);
  const isThere = line !== undefined && !isLost(target, now - (target.placedAt ?? now));
  const targetVelocity = isThere ? ownVelocity && velocity(target) : undefined;
  const closest = targetVelocity && closestApproach(line!, ownVelocity!, targetVelocity);
  target.range = line?.range;
  target.bearing = line?.bearing;
  target.cpa = closest?.cpa;
  target.tcpa = closest?.tcpa;
}
