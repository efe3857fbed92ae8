/** The version of hub: a newer one with what is new in it, its installation, and the way back. */
import { useEffect, useState } from "preact/hooks";
import type { UpdateReport, UpdateRequest } from "../../../core/report/update.ts";
import { version } from "../data/version.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import { attempt } from "./actions.ts";
import { askUpdate, updateReport } from "./api.ts";
import { isDeployed, projects } from "./state.ts";

const LOOK_MS = 3000;

const phases: Readonly<Record<Exclude<UpdateReport["phase"], "idle">, PlainText>> = {
  checking: "The repository of hub is asked.",
  installing: "The new version is being installed.",
  watching: "It is installed. If the display does not come up within five minutes, the former version is taken again.",
  returning: "The former version is taken again.",
};

function outcome({ result, reason = "", installed }: UpdateReport): string | undefined {
  if (result === "unchanged") return say("There is no newer version.");
  if (result === "installed") return say("Version {version} has been installed.", { version: installed });
  if (result === "returned") return say("The former version is in force again: {reason}", { reason });
  return result === "failed" ? say("It did not succeed: {reason}", { reason }) : undefined;
}

/** The report, read again and again; "none", for good, where nothing installs new versions. The last one while the service is away. */
function useReport(): readonly [UpdateReport | "none" | undefined, () => Promise<void>] {
  const [report, setReport] = useState<UpdateReport | "none">();
  const read = (): Promise<void> =>
    updateReport().then(
      (each) => setReport(each ?? "none"),
      () => {},
    );
  const isNone = report === "none";
  useEffect(() => {
    if (isNone) return undefined;
    void read();
    const timer = setInterval(() => void read(), LOOK_MS);
    return () => clearInterval(timer);
  }, [isNone]);
  return [report, read];
}

export function BoatVersion() {
  const [report, read] = useReport();
  const ask = (what: UpdateRequest): void =>
    void attempt(async () => {
      await askUpdate(what, projects.peek()?.find(isDeployed)?.id);
      await read();
    });
  if (report === undefined) return null;
  if (report === "none")
    return (
      <section data-id="version">
        <h2>{say("Version {version}", { version })}</h2>
        <p>{say("New versions are installed on the boat's computer, as its documentation says.")}</p>
      </section>
    );
  const { phase, installed, available, news = [], before, isNightly } = report;
  const isBusy = phase !== "idle";
  const told = isBusy ? say(phases[phase]) : outcome(report);
  return (
    <section data-id="version">
      <h2>{say("Version {version}", { version: installed })}</h2>
      {told !== undefined && <p role="status">{told}</p>}
      {available !== undefined && (
        <>
          <h3>{say("What is new in {version}", { version: available })}</h3>
          <ul class="difference">
            {news.map((one) => (
              <li key={one}>{one}</li>
            ))}
          </ul>
        </>
      )}
      <p class="hint">
        {say("For about a minute there are no display and no alarms: change the version when the boat lies safely.")}
      </p>
      <p class="choices">
        {available !== undefined && (
          <button type="button" class="main-action" disabled={isBusy} onClick={() => ask("install")}>
            {say("Install {version}", { version: available })}
          </button>
        )}
        <Button says="Look for a new version" disabled={isBusy} onClick={() => ask("check")} />
        {before !== undefined && (
          <button type="button" disabled={isBusy} onClick={() => ask("back")}>
            {say("Back to {version}", { version: before })}
          </button>
        )}
      </p>
      <label class="form-field check">
        <input
          type="checkbox"
          checked={isNightly}
          onChange={(event) => ask(event.currentTarget.checked ? "nightly" : "asked")}
        />
        <span>{say("Install new versions at night, while the boat lies at a berth or still")}</span>
      </label>
    </section>
  );
}
