/**
 * The findings about the bus, the worst first; a tap shows the remedy. The baseline for the comparison is below them.
 */
import type { RecordedFinding } from "../../../core/findings/recording-report.ts";
import { spanText } from "../../../core/text/quantity.ts";
import { topics } from "../../../core/topics/topics.ts";
import { canCommand } from "../alarms/alarms.ts";
import { publish } from "../data/connection.ts";
import { isDead } from "../data/device-messages.ts";
import { ageOf } from "../data/freshness.ts";
import { settings } from "../data/settings.ts";
import { store } from "../data/store.ts";
import { momentText } from "../instruments/moments.ts";
import { countText } from "../instruments/units.ts";
import { inDays } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { type Measured, measuredText } from "./finding-words.ts";

export const severityWords = { fault: "Fault", warning: "Warning", information: "Good to know" } as const;

/** Seconds of listening after which what comes once a minute was heard, and what comes seldom too. */
const SOON_SECONDS = 180;

/** The devices and messages that were evaluated, and since when; a finding may need more than the first minutes. */
function lookedAt(now: number): string {
  const { health, devices, traffic } = store;
  const uptime = health?.data.uptimeSec;
  const seconds = health === undefined || uptime === undefined ? undefined : uptime + ageOf(health.stamp, now);
  const { frames } = health?.data ?? {};
  const looked = [
    devices && say("{count} device{count:|s}", { count: devices.data.count }),
    traffic &&
      say("{count} kind{count:|s} of messages", { count: traffic.data.devices.flatMap(({ pgns }) => pgns).length }),
    frames === undefined ? undefined : say("{count} frame{count:|s}", { count: countText(frames) }),
  ].filter((part) => part !== undefined);
  if (looked.length === 0) return say("It is not known yet what was looked at.");
  const things = looked.join(", ");
  if (seconds === undefined) return say("Looked at {things}.", { things });
  const text =
    seconds < SOON_SECONDS
      ? "Looked at {things} in {time} of listening; what fails now and then shows later."
      : "Looked at {things} in {time} of listening.";
  return say(text, { things, time: inDays(spanText(seconds)) });
}

const setBaseline = (payload: string): void =>
  publish(topics.baseline.name({ prefix: settings.peek().prefix }), payload);

function Baseline({ takenAt }: { readonly takenAt: string | undefined }) {
  return (
    <div class="baseline" data-id="baseline">
      <p class="source">
        {takenAt === undefined
          ? say("Devices, versions and messages are compared with no earlier state.")
          : say("Devices, versions and messages are compared with those of {moment}.", { moment: momentText(takenAt) })}
      </p>
      {canCommand && (
        <p class="actions">
          <Button says="This is my boat now" onClick={() => setBaseline("{}")} />
          {takenAt !== undefined && <Button says="Compare no more" onClick={() => setBaseline("")} />}
        </p>
      )}
    </div>
  );
}

type Shown = Pick<RecordedFinding, "id" | "title" | "severity" | "advice" | "since" | "until" | "times"> & Measured;

/** A finding with its advice behind a touch; one of a recording may be over. */
export function FindingItem({ finding }: { readonly finding: Shown }) {
  const { id, title, severity, advice, since, until, times = 1 } = finding;
  const span =
    until === undefined
      ? say("since {duration}", { duration: momentText(since) })
      : say("from {from} to {until}", { from: momentText(since), until: momentText(until) });
  return (
    <li>
      <details class={until === undefined ? severity : undefined} data-id={`finding-${id}`}>
        <summary>
          <b>{said(title)}</b>
          <small class="severity">{say(until === undefined ? severityWords[severity] : "Over")}</small>
          <span>{measuredText(finding)}</span>
          {until !== undefined && <span class="source">{span}</span>}
        </summary>
        <p>{said(advice)}</p>
        <p class="source">{times === 1 ? span : `${span}, ${say("{count} times", { count: times })}`}</p>
      </details>
    </li>
  );
}

export function FindingList({ now }: { readonly now: number }) {
  const { findings: stored } = store;
  const dead = stored === undefined || isDead(stored, now);
  return (
    <section class={`unit findings ${dead ? "dead" : ""}`} data-id="findings">
      <h2>{say("Findings")}</h2>
      {stored === undefined && <p class="source">{say("not heard yet")}</p>}
      {stored?.data.findings.length === 0 && (
        <>
          <p class="state-name">{say("Nothing found")}</p>
          <p class="source" data-id="looked-at">
            {lookedAt(now)}
          </p>
        </>
      )}
      <ul>
        {stored?.data.findings.map((finding) => (
          <FindingItem key={finding.id} finding={finding} />
        ))}
      </ul>
      {stored?.data.leftOut !== undefined && (
        <p class="source">{say("and {others} more", { others: stored.data.leftOut })}</p>
      )}
      {stored !== undefined && <Baseline takenAt={stored.data.baseline} />}
      <p class="actions">
        <a class="button" href="#/report">
          {say("Report to print")}
        </a>
        <a class="button" href="#/recordings">
          {say("Read a recording")}
        </a>
      </p>
    </section>
  );
}
