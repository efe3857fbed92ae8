/** The symbol of a station, crossed out when nothing has been heard of her for long. */
import { symbol, type Target } from "./traffic.ts";

interface TargetShapeProps {
  readonly target: Target;
  /** Degrees clockwise from the top of the plot. */
  readonly course: number;
  readonly isOld: boolean;
}

export function TargetShape({ target, course, isOld }: TargetShapeProps) {
  return (
    <>
      <path class="shape" transform={`rotate(${course})`} d={symbol(target)} />
      {isOld && <path class="crossed" d="M-11 8L11 -8" />}
    </>
  );
}
