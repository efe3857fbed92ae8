/**
 * Writes `data` of the AIS report: own ship, and every target with its range, bearing and closest approach. The same targets and
 * the same own ship give the same bytes.
 */
import { membersWriterOf, writerOf } from "../report/write.ts";
import { type AsciiBuffer, encodeText } from "../text/ascii-buffer.ts";
import { approachMembers, ownShip, targetMembers } from "./ais-report.ts";
import type { AisTarget, Track } from "./ais-targets.ts";
import { closestApproach, type Vector, velocityOf } from "./closest-approach.ts";
import { greatCircle } from "./great-circle.ts";
import type { OwnShip } from "./own-ship.ts";

const writeOwnShip = writerOf(ownShip);
const writeTarget = membersWriterOf(targetMembers);
const writeApproach = membersWriterOf(approachMembers);

const OPEN = encodeText('{"ownShip":');
const TARGETS = encodeText(',"targets":[');
const COMMA = encodeText(",");
const CLOSE = encodeText("]}");

/** A target with its text in the last report. */
export type WritableTarget = Readonly<Pick<Track, "text">> & { readonly target: AisTarget };

/** Writes `data` for these targets, in their order. */
export function writeAisData(out: AsciiBuffer, targets: readonly WritableTarget[], own: OwnShip | undefined): void {
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
    if (own !== undefined) writeApproach(out, approachOf(target, own, ownVelocity));
    out.closeObject(begin);
  });
  out.write(CLOSE);
}

const velocity = ({ cog, sog }: Pick<OwnShip, "cog" | "sog">): Vector | undefined =>
  cog === undefined || sog === undefined ? undefined : velocityOf({ cog, sog });

/** Range and bearing need both positions, the closest approach both courses and speeds too. */
export function approachOf(target: AisTarget, own: OwnShip, ownVelocity = velocity(own)) {
  if (target.position === undefined) return {};
  const line = greatCircle(own, target.position);
  const targetVelocity = velocity(target);
  const closest = ownVelocity && targetVelocity && closestApproach(line, ownVelocity, targetVelocity);
  return { range: line.range, bearing: line.bearing, cpa: closest?.cpa, tcpa: closest?.tcpa };
}
