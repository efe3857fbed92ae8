/** All topics with rate and latest message, filtered by words. */

import { signal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { topics } from "../../../core/topics/topics.ts";
import { nameAt } from "../data/device-names.ts";
import { secondTick } from "../data/frame-tick.ts";
import { payloadText, type RawTopic } from "../data/raw-topics.ts";
import { settings } from "../data/settings.ts";
import { placeOf, rawTopics } from "../data/store.ts";
import { countText } from "../instruments/units.ts";
import { durationText, numberText } from "../languages/formats.ts";
import { say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";

const filter = signal("");
const paused = signal(false);
const open = signal<string | undefined>(undefined);
const titles = signal<ReadonlyMap<number, string>>(new Map());

/** Maximum rows, to limit the time for rendering. */
const MAX_ROWS = 300;

let frozen: readonly RawTopic[] = [];
/** Places of the rows that are shown, and the filter and the prefix that they are of. */
let places: ReadonlyMap<string, number> = new Map();
let placedFor = "";

/** Title of the PGN and name of the device. */
const titleOf = (topic: string): string => {
  const place = placeOf(settings.peek().prefix, topic);
  if (place?.topic !== "pgn" && place?.topic !== "infos") return "";
  const title = place.topic === "infos" ? topics.infos.title : (titles.value.get(place.pgn) ?? "");
  return `${title} · ${nameAt(place.addr)}`;
};

/** Topics that match the filter; while paused, a copy from the start of the pause. */
function visibleTopics(now: number): readonly RawTopic[] {
  if (!paused.value) {
    rawTopics.updateRates(now);
    const wanted = `${settings.value.prefix} ${filter.value}`;
    frozen = rawTopics
      .matching(filter.value, titleOf, wanted === placedFor ? places : undefined)
      .map((one) => ({ ...one }));
    places = new Map(frozen.map(({ topic }, index) => [topic, index]));
    placedFor = wanted;
  }
  return frozen;
}

export function MessagesView() {
  const now = secondTick.value;
  useEffect(() => {
    // The next visit sorts all.
    return () => {
      placedFor = "";
    };
  }, []);
  useEffect(() => {
    // Loaded on demand, because only this page needs the titles of all PGNs.
    if (titles.peek().size === 0)
      void import("../data/titles.ts").then((module) => {
        titles.value = module.titles;
      });
  }, []);
  const rows = visibleTopics(now);
  const rate = rows.reduce((sum, one) => sum + (one.rate ?? 0), 0);
  const { prefix } = settings.value;
  return (
    <div class="messages">
      <Form class="tools" onSubmit={() => {}}>
        <label>
          <span>{say("Filter by PGN, source or text")}</span>
          <input
            type="search"
            value={filter.value}
            placeholder="127250, device/4, …"
            onInput={(event) => {
              filter.value = event.currentTarget.value;
            }}
          />
        </label>
        <Button
          says={paused.value ? "Go on" : "Pause"}
          aria-pressed={paused.value}
          onClick={() => {
            paused.value = !paused.value;
          }}
        />
      </Form>
      <p class="list-head" data-id="rate">
        {say("{count} topic{count:|s} · {rate} messages/s", { count: rows.length, rate: countText(rate) })}
        {paused.value && ` · ${say("paused")}`}
      </p>
      <ul>
        {rows.slice(0, MAX_ROWS).map((one) => {
          const isOpen = open.value === one.topic;
          return (
            <li key={one.topic}>
              <button
                type="button"
                class="topic"
                data-topic={one.topic}
                aria-expanded={isOpen}
                onClick={() => {
                  open.value = isOpen ? undefined : one.topic;
                }}
              >
                <span class="topic-name">
                  {one.topic.startsWith(`${prefix}/`) ? one.topic.slice(prefix.length + 1) : one.topic}
                </span>
                <span class="topic-title">{titleOf(one.topic)}</span>
                <span class="topic-rate">{one.rate === undefined ? "–" : numberText(one.rate.toFixed(1))}/s</span>
                <span class="age">{durationText((now - one.arrived) / 1000)}</span>
              </button>
              {isOpen && <pre>{payloadText(one.payload)}</pre>}
            </li>
          );
        })}
      </ul>
      {rows.length > MAX_ROWS && (
        <p class="source">{say("and {others} more; a filter finds them", { others: rows.length - MAX_ROWS })}</p>
      )}
    </div>
  );
}
