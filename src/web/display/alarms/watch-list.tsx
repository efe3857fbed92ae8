/** The watches of the boat and their states, each with its limits if they are known. */

import type { ComponentChildren } from "preact";
import { alarmWords } from "../../../core/alarms/words.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { Button } from "../parts/button.tsx";
import type { AlarmsData } from "./alarms.ts";

type Watching = NonNullable<AlarmsData["watching"]>;
type Kind = keyof Watching;

const stateTexts: Readonly<Record<NonNullable<Watching[Kind]>, PlainText>> = {
  on: "watched",
  quiet: "quiet here",
  "no data": "no sensor heard",
  off: "off",
};

export interface WatchesProps {
  readonly data: AlarmsData;
  /** Without reports their states are not known. */
  readonly isHeard: boolean;
}

/** The limits of a watch, and the form that changes them. */
export interface Limit {
  readonly text: string;
  readonly isEdited: boolean;
  readonly change: () => void;
  readonly editor: ComponentChildren;
}

interface WatchListProps extends WatchesProps {
  readonly limitOf?: (kind: Kind) => Limit | undefined;
  /** The title of a limit of the crew's own, by its id. */
  readonly titleOfLimit?: (id: string) => string | undefined;
  readonly children?: ComponentChildren;
}

/** For a kind of a newer hub-cand only the name is shown. */
const nameOf = (kind: Kind): string => said((alarmWords as Partial<typeof alarmWords>)[kind]?.watched ?? kind);

export function WatchList({ data, isHeard, limitOf, titleOfLimit, children }: WatchListProps) {
  return (
    <section class="watches">
      <h2>{say("Watched by the boat")}</h2>
      {children}
      <ul class="watching">
        {(Object.entries(data.watching ?? {}) as [Kind, keyof typeof stateTexts][]).map(([kind, state]) => {
          const limit = limitOf?.(kind);
          return (
            <li key={kind} data-id={`watch-${kind}`} class={isHeard ? state.replace(" ", "-") : ""}>
              <span class="watch-name">
                {nameOf(kind)}
                {limit !== undefined && <small class="limit">{limit.text}</small>}
                {isHeard && kind === "limits" && data.unheardLimits !== undefined && (
                  <small class="unheard">
                    {say("Not watched, no value arrives: {limits}", {
                      limits: data.unheardLimits.map((id) => titleOfLimit?.(id) ?? id).join(", "),
                    })}
                  </small>
                )}
              </span>
              {isHeard && (
                <small class="watch-state">
                  {kind === "anchor" && data.anchorWatch === undefined
                    ? say("no anchor watch")
                    : said(stateTexts[state])}
                </small>
              )}
              {limit !== undefined && (
                <Button
                  says="Change"
                  aria-expanded={limit.isEdited}
                  aria-label={say("Change limits: {name}", { name: nameOf(kind) })}
                  onClick={limit.change}
                />
              )}
              {limit?.editor}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
