/** Starts the list of a fleet's boats. */
import { computed, effect, untracked } from "@preact/signals";
import { render } from "preact";
import "./display.css";
import "./fleet/fleet.css";
import { connect, subscribeTo } from "./data/connection.ts";
import { noteValues } from "./data/first-values.ts";
import { startTicks } from "./data/frame-tick.ts";
import { brokerUrl, settings } from "./data/settings.ts";
import { FleetList } from "./fleet/fleet-list.tsx";
import { Hulls } from "./fleet/hulls.ts";
import { Boundary } from "./parts/boundary.tsx";

const hulls = new Hulls(settings.peek().prefix);
const decoder = new TextDecoder();

const broker = computed(brokerUrl);

effect(() => {
  const url = broker.value;
  untracked(() =>
    connect(url, {
      onMessage(topic, payload, isRetained) {
        hulls.hear(topic, decoder.decode(payload), isRetained, Date.now());
        noteValues();
      },
    }),
  );
});

subscribeTo(hulls.filters);
startTicks();
const root = document.getElementById("fleet")!;
root.replaceChildren();
render(
  <Boundary name="The fleet" within="#fleet">
    <FleetList hulls={hulls} />
  </Boundary>,
  root,
);
