/**
 * The six steps that put a new boat into service, each with a mark when it is done; shown until the first deployment.
 */

import { signal } from "@preact/signals";
import { stored } from "../data/stored.ts";
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import { deploy, entryOf, isUnconfigured, pending } from "./state.ts";

interface Step {
  readonly name: string;
  readonly title: PlainText;
  readonly about: PlainText;
  readonly href: string;
  /**
   * Whether the edited project has the settings of the step; without this function a step is done when it was opened.
   */
  readonly isDone?: () => boolean;
}

const member = (entry: string, name: string): unknown => (entryOf(entry) as Readonly<Record<string, unknown>>)[name];

const isFilled = (value: unknown): boolean =>
  typeof value === "object" && value !== null && Object.keys(value).length > 0;

const steps: readonly Step[] = [
  {
    name: "mmsi",
    title: "Own MMSI",
    about: "so that the boat is no target of its own",
    href: "#/boat/devices",
    isDone: () => member("navigation", "ownMmsi") !== undefined,
  },
  {
    name: "names",
    title: "Names",
    about: "tap a tank, battery, engine or switch; devices are named below",
    href: "#/systems",
    isDone: () => isFilled(member("names", "things")) || isFilled(member("navigation", "friendlyNames")),
  },
  {
    name: "sources",
    title: "Sources",
    about: "which of several receivers or sensors is used",
    href: "#/boat/devices/sources",
    isDone: () => isFilled(member("navigation", "priority")),
  },
  { name: "units", title: "Units", about: "of this screen", href: "#/settings" },
  { name: "alarms", title: "Alarms", about: "limits beside each watch", href: "#/alarms" },
];

const memory = stored("hub-display-steps", (json) => (Array.isArray(json) ? json.map(String) : undefined));

/** Names of the steps that were opened. */
const opened = signal<readonly string[]>(memory.read() ?? []);

function open(name: string): void {
  opened.value = [...new Set([...opened.value, name])];
  memory.write([...opened.value]);
}

export function Steps() {
  if (!isUnconfigured.value) return null;
  const isEmpty = pending.value.length === 0;
  return (
    <section class="steps" data-id="steps">
      <h2>{say("Six steps to a boat that is set up")}</h2>
      <ol>
        {steps.map(({ name, title, about, href, isDone }) => {
          const done = isDone?.() || opened.value.includes(name);
          return (
            <li key={name} class={done ? "done-step" : ""} data-id={`step-${name}`}>
              <a href={href} onClick={() => open(name)}>
                <b>{say(title)}</b>
                {done && <span class="tag">{say(isDone?.() ? "done" : "seen")}</span>} <small>{say(about)}</small>
              </a>
            </li>
          );
        })}
        <li data-id="step-deploy">
          <Button says="Deploy these settings" class="main-action" disabled={isEmpty} onClick={() => void deploy()} />{" "}
          <small>{say(isEmpty ? "there is nothing to deploy yet" : "they are in force from then on")}</small>
        </li>
      </ol>
    </section>
  );
}
