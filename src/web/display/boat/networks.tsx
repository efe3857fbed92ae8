/** The networks of the boat with their state, ready forms for further ones, and the sensors of brokers. */

import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MAX_FURTHER_NETWORKS, networkOf } from "../../../core/can/networks.ts";
import { networkSettings, OWN_BROKER } from "../../../core/settings/networks.ts";
import { interfaceName } from "../bus/interface-words.ts";
import { isDead } from "../data/device-messages.ts";
import { secondTick } from "../data/frame-tick.ts";
import { store } from "../data/store.ts";
import { durationText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import type { FormEntry } from "./entries.ts";
import { activityText, HeardRates } from "./heard-rate.ts";
import { type Filled, kindOfNetwork, type NetworkForm, networkForms, readFilled } from "./network-forms.ts";
import { type NetworkRow, namedIn, networkRows } from "./network-rows.ts";
import { SensorForm } from "./sensors.tsx";
import { deployedEntryOf, entryOf, saveEntry } from "./state.ts";

const NETWORKS = networkSettings.name;

const isBroker = (network: string): boolean => network.startsWith(OWN_BROKER);

const add = (network: string): Promise<boolean> =>
  saveEntry(
    NETWORKS,
    (entry) => {
      const before = namedIn(entry);
      if (before.includes(network)) throw new Error(say("{network} is listened to already.", { network }));
      if (before.length >= MAX_FURTHER_NETWORKS)
        throw new Error(say("There is room for no more networks: remove one."));
      return { ...entry, also: [...before, network] };
    },
    say("{name}: saved in the project.", { name: said(kindOfNetwork(network)) }),
  );

const remove = (network: string): Promise<boolean> =>
  saveEntry(
    NETWORKS,
    (entry) => ({ ...entry, also: namedIn(entry).filter((each) => each !== network) }),
    say("{name}: removed from the project.", { name: said(kindOfNetwork(network)) }),
  );

const isFilled = (rows: unknown): boolean => Array.isArray(rows) && rows.length > 0;

function Network({ row, heard }: { readonly row: NetworkRow; readonly heard: string | undefined }) {
  const { network, mood, state, reasons, isNamed } = row;
  return (
    <li data-id={`network-${network}`}>
      <span class="network-words">
        <b>{row.number === 0 && !network.includes(":") ? say("The first network") : said(kindOfNetwork(network))}</b>{" "}
        <small>{interfaceName({ interface: network })}</small>
        <span class={`network-state ${mood}`}>
          <span class="lamp" aria-hidden="true" />
          {reasons.length === 0
            ? said(state)
            : say("{what}: {text}", { what: said(state), text: reasons.map(said).join("; ") })}
        </span>
        {heard !== undefined && <small>{heard}</small>}
      </span>
      {isNamed && (
        <Button
          says="Remove"
          aria-label={say("Remove {name}", { name: network })}
          onClick={() => void remove(network)}
        />
      )}
    </li>
  );
}

interface FormProps {
  readonly form: NetworkForm;
  readonly close: () => void;
  readonly onAdded: (network: string) => void;
}

function FormOf({ form, close, onAdded }: FormProps) {
  const fields = Object.entries(form.fields);
  const [filled, fill] = useState<Filled>(Object.fromEntries(fields.map(([name, { first = "" }]) => [name, first])));
  const read = readFilled(form, filled);
  const wrong = fields.filter(([name, { pattern }]) => !pattern.test(read[name]!));
  const network = form.network(read);
  // Typing begins without a further touch; a phone shows its keys for a focus that is set within the one that opened it.
  const first = useRef<HTMLInputElement>(null);
  const [[typedFirst] = []] = useState(wrong[0]);
  useLayoutEffect(() => first.current?.focus(), []);
  return (
    <Form
      class="schema-form network-form"
      data-id="network-form"
      onSubmit={() => {
        void add(network).then((isSaved) => {
          if (!isSaved) return;
          close();
          onAdded(network);
        });
      }}
    >
      <p class="hint">{say(form.about)}</p>
      {fields.map(([name, { label, why }]) => {
        const isWrong = wrong.some(([each]) => each === name);
        return (
          <label class="form-field wide" key={name}>
            <span>
              {say(label)}
              {isWrong && filled[name] !== "" && <small>: {say(why)}</small>}
            </span>
            <input
              ref={name === typedFirst ? first : null}
              type="text"
              aria-invalid={isWrong && filled[name] !== ""}
              value={filled[name]}
              onInput={(event) => fill({ ...filled, [name]: event.currentTarget.value })}
              onBlur={() => fill(read)}
            />
          </label>
        );
      })}
      <p class="choices">
        <Button says="Add" type="submit" class="main-action" disabled={wrong.length > 0} />
        <Button says="Cancel" onClick={close} />
      </p>
    </Form>
  );
}

function NewNetwork({ onAdded }: Pick<FormProps, "onAdded">) {
  const [form, setForm] = useState<NetworkForm>();
  return (
    <section data-id="new-network">
      <h2>{say("Add what it does not hear yet")}</h2>
      <ul class="network-kinds">
        {networkForms.map((one) => (
          <li key={one.title}>
            <Button
              says={one.title}
              aria-expanded={one === form}
              onClick={() => setForm(one === form ? undefined : one)}
            />
            {one === form && <FormOf key={one.title} form={one} close={() => setForm(undefined)} onAdded={onAdded} />}
          </li>
        ))}
      </ul>
    </section>
  );
}

export function BoatNetworks({ entries }: { readonly entries: readonly FormEntry[] }) {
  void secondTick.value;
  const { interface: status, health } = store;
  const [rates] = useState(() => new HeardRates());
  if (health !== undefined) rates.take(health.data);
  // A report that is too old says nothing of now.
  const isStale = status === undefined || isDead(status, performance.now());
  const rows = networkRows({
    status: isStale ? undefined : status.data,
    edited: entryOf(NETWORKS),
    deployed: deployedEntryOf(NETWORKS),
    hasSensors: isFilled(deployedEntryOf("sensors").rows),
    ignored: health?.data.ignoredSettings ?? [],
  });
  const addresses = store.devices?.data.peers?.flatMap(({ addr }) => addr ?? []) ?? [];
  const heardOn = (number: number | undefined): string | undefined => {
    const activity = number === undefined || isStale ? undefined : rates.of(number);
    if (activity === undefined) return undefined;
    const devices = addresses.filter((address) => networkOf(address) === number).length;
    return `${say("{count} device{count:|s}", { count: devices })} · ${activityText(activity, durationText)}`;
  };
  const sensors = entries.find(({ name }) => name === "sensors")!;
  const sensorRows = entryOf("sensors").rows;
  const hasSensors = rows.some(({ network }) => isBroker(network)) || isFilled(sensorRows);
  const [isOpen, setOpen] = useState(false);
  const [added, setAdded] = useState("");
  const sensorPart = useRef<HTMLElement>(null);
  // The sensors of a broker stand below all networks.
  useEffect(() => {
    if (isBroker(added)) sensorPart.current?.scrollIntoView();
  }, [added, isOpen]);
  useEffect(() => {
    if (hasSensors) setOpen(true);
  }, [hasSensors]);
  return (
    <>
      <section data-id="networks">
        <h2>{say("What this boat hears")}</h2>
        {isStale && <p class="hint">{say("hub-cand says nothing of its networks now.")}</p>}
        <ul class="networks">
          {rows.map((row) => (
            <Network key={row.network} row={row} heard={heardOn(row.number)} />
          ))}
        </ul>
      </section>
      <NewNetwork onAdded={setAdded} />
      {isOpen && (
        <section class="whole" data-id="settings-sensors" ref={sensorPart}>
          <h2>{say("Sensors by MQTT")}</h2>
          {!rows.some(({ network }) => isBroker(network)) && (
            <p class="hint">
              {say("No broker is listened to, so that these rows get no values.")}{" "}
              <Button says="Listen to the boat's broker" onClick={() => void add(OWN_BROKER)} />
            </p>
          )}
          <SensorForm warnings={sensors.warnings} />
        </section>
      )}
    </>
  );
}
