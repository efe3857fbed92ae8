/** The devices on the bus: their names, the order of sources with the current value of each, the boat's own MMSI. */

import { useEffect, useRef, useState } from "preact/hooks";
import { MAX_THING_NAME } from "../../../core/n2k/named-thing.ts";
import { aisPgns, isOwnMessage } from "../../../core/nav/ais-messages.ts";
import type { PriorityKey } from "../../../core/nav/settings.ts";
import { aboutText, deviceRows } from "../data/device-memory.ts";
import { manufacturerOf, namesOf } from "../data/device-names.ts";
import { secondTick } from "../data/frame-tick.ts";
import { isAgeTold } from "../data/freshness.ts";
import { type DeviceInformation, isFilling, store } from "../data/store.ts";
import { durationText } from "../languages/formats.ts";
import { said, say } from "../languages/say.ts";
import { deviceText } from "../languages/setting-texts.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { MissingDevice, WhatToCheck } from "../parts/missing-device.tsx";
import { NamedMeanwhile } from "./named-things.ts";
import { type Candidate, candidatesOf, isOnBus, moved, quantities, sourceOrder } from "./sources.ts";
import { entryOf, nameOfName, saveEntry } from "./state.ts";

type Names = Readonly<Record<string, string>>;
type Priority = Readonly<Partial<Record<PriorityKey, readonly string[]>>>;

interface NavigationEntry {
  readonly friendlyNames?: Names;
  readonly priority?: Priority;
  readonly ownMmsi?: number;
}

const navigation = (): NavigationEntry => entryOf("navigation") as NavigationEntry;

const saveNavigation = (edit: (entry: NavigationEntry) => NavigationEntry, sentence: string): Promise<boolean> =>
  saveEntry("navigation", (entry) => ({ ...entry, ...edit(entry as NavigationEntry) }), sentence);

/** The name of a device in the settings; empty without one. */
const friendlyNameIn = ({ friendlyNames = {} }: NavigationEntry, name: string): string =>
  namesOf(name).flatMap((each) => friendlyNames[each] ?? [])[0] ?? "";

/**
 * Names a device; a name that another device has is refused, because the order of sources may use it. `check` gets the
 * name that the device has now, and throws if it is not to be replaced.
 */
const rename = (name: string, friendly: string, check: (present: string) => void): Promise<boolean> =>
  saveNavigation(
    (entry) => {
      const { friendlyNames = {} } = entry;
      const names = namesOf(name);
      check(friendlyNameIn(entry, name));
      const others = Object.fromEntries(Object.entries(friendlyNames).filter(([each]) => !names.includes(each)));
      if (friendly === "") return { friendlyNames: others };
      if (Object.values(others).includes(friendly))
        throw new Error(say("Another device is named {name}.", { name: friendly }));
      return { friendlyNames: { ...others, [name]: friendly } };
    },
    friendly === "" ? say("Name removed.") : say("Named {name}.", { name: friendly }),
  );

function Device({
  address,
  information,
}: {
  readonly address: number;
  readonly information: DeviceInformation | undefined;
}) {
  const name = information?.name;
  const friendly = name === undefined ? "" : friendlyNameIn(navigation(), name);
  const [typed, setTyped] = useState<string>();
  /** The name that was there when this one was begun. */
  const before = useRef(friendly);
  if (typed === undefined) before.current = friendly;
  const text = typed ?? friendly;
  const check = (present: string): void => {
    if (present === before.current || present === text.trim()) return;
    before.current = present;
    throw new NamedMeanwhile(present);
  };
  const functionText = deviceText(information?.functionName ?? "");
  const save = async (): Promise<void> => {
    const isSaved = name === undefined || text.trim() === friendly || (await rename(name, text.trim(), check));
    // The field keeps text that could not be saved, and text typed while the request ran.
    if (isSaved) setTyped((now) => (now === typed ? undefined : now));
  };
  return (
    <li data-id={`boat-device-${address}`}>
      <span class="address">{address}</span>
      <span class="device-name">
        {information?.productInfo?.modelId || (information ? functionText : say("Not identified yet"))}
        <small>
          {information
            ? aboutText([information.functionName, manufacturerOf(information) ?? []].flat())
            : say("it says what it is when it is switched off and on")}
        </small>
      </span>
      <Form onSubmit={() => void save()}>
        <input
          aria-label={say("Name of device {address}", { address })}
          placeholder={say("name it")}
          maxLength={MAX_THING_NAME}
          value={text}
          disabled={name === undefined}
          onInput={(event) => setTyped(event.currentTarget.value)}
          onBlur={() => void save()}
        />
      </Form>
    </li>
  );
}

/** The value of a device, with its age, or why there is none. */
function valueText(name: string, candidate: Candidate | undefined, now: number): string {
  if (candidate !== undefined) {
    const { text, age } = candidate;
    return isAgeTold(age) ? `${text} · ${durationText(age)}` : text;
  }
  if (isFilling(now)) return say("not known yet");
  return isOnBus(name, navigation().friendlyNames ?? {}) ? say("on the bus, without this value") : say("not heard");
}

function Sources({ quantity, now }: { readonly quantity: PriorityKey; readonly now: number }) {
  const [dragged, setDragged] = useState<string>();
  // The item may be dropped before the page is drawn again.
  const carried = useRef<string | undefined>(undefined);
  const candidates = candidatesOf(quantity, now);
  const priorityOf = ({ priority }: NavigationEntry): readonly string[] => priority?.[quantity] ?? [];
  const hasPriority = priorityOf(navigation()).length > 0;
  if (candidates.length < 2 && !hasPriority) return null;
  const heard = new Map(candidates.map((candidate) => [candidate.name, candidate]));
  const orderOf = (entry: NavigationEntry): readonly string[] =>
    sourceOrder([...heard.keys()], priorityOf(entry), entry.friendlyNames ?? {});
  const order = orderOf(navigation());
  const save = (edit: (entry: NavigationEntry) => readonly string[], preference: string): void =>
    void saveNavigation(
      (entry) => ({ priority: { ...entry.priority, [quantity]: edit(entry) } }),
      `${say("{what}: {text}", { what: said(quantities[quantity].name), text: preference })}.`,
    );
  const move = (name: string, before?: string): void =>
    save(
      (entry) => moved(orderOf(entry), name, before),
      say("{device} first", { device: nameOfName(moved(order, name, before)[0]!) }),
    );
  return (
    <section class="sources" data-id={`sources-${quantity}`}>
      <h3>{said(quantities[quantity].name)}</h3>
      <ol>
        {order.map((name, index) => (
          <li
            key={name}
            draggable
            class={dragged === name ? "dragged" : ""}
            onDragStart={(event) => {
              // Some browsers drag nothing without data.
              event.dataTransfer?.setData("text/plain", name);
              carried.current = name;
              setDragged(name);
            }}
            onDragEnd={() => {
              carried.current = undefined;
              setDragged(undefined);
            }}
            onDragOver={(event) => event.preventDefault()}
            onDrop={(event) => {
              event.preventDefault();
              if (carried.current !== undefined && carried.current !== name) move(carried.current, name);
            }}
          >
            <span class="rank">{index + 1}</span>
            <span class="device-name">
              {nameOfName(name)}
              <small>{valueText(name, heard.get(name), now)}</small>
            </span>
            {(index > 0 || !hasPriority) && (
              <Button
                says="Prefer"
                aria-label={say("Prefer {device} for {quantity}", {
                  device: nameOfName(name),
                  quantity: said(quantities[quantity].name),
                })}
                onClick={() => move(name)}
              />
            )}
          </li>
        ))}
      </ol>
      {hasPriority && (
        <Button says="No preference" class="quiet" onClick={() => save(() => [], say("no preference"))} />
      )}
    </section>
  );
}

/** The MMSI that the boat's transponder marks as its own. */
function heardMmsi(): number | undefined {
  const pgns: ReadonlySet<number> = new Set(aisPgns.map(({ pgn }) => pgn));
  for (const { data } of store.messages.values())
    if (pgns.has(data.pgn) && isOwnMessage(data as never)) return data.mmsi as number | undefined;
  return undefined;
}

function OwnMmsi({ heard }: { readonly heard: number | undefined }) {
  const { ownMmsi } = navigation();
  const [typed, setTyped] = useState<string>();
  const text = typed ?? (ownMmsi === undefined ? "" : String(ownMmsi));
  const isValid = /^[1-9]\d{8}$/.test(text);
  const save = (mmsi: number): void => {
    setTyped(undefined);
    void saveNavigation(() => ({ ownMmsi: mmsi }), say("Own MMSI {mmsi}.", { mmsi }));
  };
  return (
    <section>
      <h2>{say("This boat")}</h2>
      <Form
        class="own-mmsi"
        onSubmit={() => {
          if (isValid) save(Number(text));
        }}
      >
        <label class="form-field">
          <span>{say("Own MMSI, nine digits")}</span>
          <input inputMode="numeric" value={text} onInput={(event) => setTyped(event.currentTarget.value.trim())} />
        </label>
        <Button says="Save" type="submit" disabled={!isValid || Number(text) === ownMmsi} />
        {heard !== undefined && heard !== ownMmsi && (
          <button type="button" class="main-action" onClick={() => save(heard)}>
            {say("Use {mmsi}, as the transponder tells", { mmsi: heard })}
          </button>
        )}
      </Form>
    </section>
  );
}

export function BoatDevices() {
  const sources = useRef<HTMLElement>(null);
  const [, , , part] = hash.value.split("/");
  // The address may name a part: #/boat/devices/sources
  useEffect(() => {
    if (part === "sources") sources.current?.scrollIntoView();
  }, [part]);
  const now = secondTick.value;
  const rows = deviceRows();
  return (
    <>
      <div>
        <section ref={sources}>
          <h2>{say("Which source is used")}</h2>
          <p class="hint">{say("The first that is alive. Drag a source up, or tap Prefer.")}</p>
          {(Object.keys(quantities) as PriorityKey[]).map((quantity) => (
            <Sources key={quantity} quantity={quantity} now={now} />
          ))}
        </section>
        <OwnMmsi heard={heardMmsi()} />
      </div>
      <section>
        <h2>{say("On the bus")}</h2>
        {rows.length === 0 && <p>{say("No device has been heard yet.")}</p>}
        {rows.some(({ missing }) => missing?.isSilent) && <WhatToCheck />}
        <ul class="name-list">
          {rows.map(({ addr, missing }) =>
            missing === undefined ? (
              <Device key={addr} address={addr} information={store.infos.get(addr)?.data} />
            ) : (
              <MissingDevice key={missing.name} addr={addr} device={missing} now={now} />
            ),
          )}
        </ul>
      </section>
    </>
  );
}
