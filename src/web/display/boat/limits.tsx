/**
 * The watches of the boat with their limits, which the entry `alarms` of the settings has and which are edited here.
 */
import { useEffect, useRef, useState } from "preact/hooks";
import { alarmWords } from "../../../core/alarms/words.ts";
import type { AlarmsData } from "../alarms/alarms.ts";
import { type Limit, type WatchesProps, WatchList } from "../alarms/watch-list.tsx";
import { ALARMS } from "../alarms/watched-distances.ts";
import { secondTick } from "../data/frame-tick.ts";
import { hull } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { installedReference } from "../instruments/depth.ts";
import { said, say } from "../languages/say.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { complaintText } from "./complaint.ts";
import type { FormEntry } from "./entries.ts";
import { limitText } from "./limit-text.ts";
import { SchemaForm } from "./schema-form.tsx";
import { chosen, deployedEntryOf, entryOf, isUnread, load, projects, unread } from "./state.ts";

type Watching = NonNullable<AlarmsData["watching"]>;
type Kind = keyof Watching;
type Values = Readonly<Record<string, unknown>>;

const isAboard = hull === undefined;

/** Loads the projects and the schemas with their library. */
function useForm(): FormEntry | undefined {
  const [form, setForm] = useState<FormEntry>();
  useEffect(() => {
    if (!isAboard) return;
    void load();
    void import("./entries.ts").then(({ formEntries }) => setForm(formEntries.find(({ name }) => name === ALARMS)));
  }, []);
  return form;
}

type OwnLimits = typeof import("./own-limits.tsx");

/** The limits of the crew's own are chosen by what the boat measures; loaded with their form. */
function useOwnLimits(isWanted: boolean): OwnLimits | undefined {
  const [own, setOwn] = useState<OwnLimits>();
  useEffect(() => {
    if (isWanted) void import("./own-limits.tsx").then(setOwn);
  }, [isWanted]);
  return own;
}

function Editor({ kind, form, close }: { readonly kind: Kind; readonly form: FormEntry; readonly close: () => void }) {
  const { name: _, ...value } = entryOf(ALARMS);
  const before = (value[kind] ?? {}) as Values;
  const withKind = (draft: Values): Values => ({ ...value, [kind]: draft });
  const box = useRef<HTMLDivElement>(null);
  const isOwn = kind === "limits";
  const own = useOwnLimits(isOwn);
  // The row that was tapped may be the last one of the screen.
  useEffect(() => box.current?.scrollIntoView({ block: "nearest" }), []);
  if (isOwn && own === undefined) return <p class="hint">{say("Loading")}</p>;
  const complaintsOf = (draft: Values): readonly string[] =>
    form.warnings(withKind(draft)).map((each) => complaintText(each, withKind(draft)));
  return (
    <div class="boat limit-form" data-id={`limit-${kind}`} ref={box}>
      <SchemaForm
        schema={form.schema.properties![kind]!}
        kind={kind}
        value={before}
        warnings={complaintsOf}
        {...(own !== undefined && { controls: { rows: own.OwnLimits } })}
        entryWith={(draft) => ({ name: ALARMS, [kind]: draft })}
        saved={say("{name}: saved in the project.", { name: said(alarmWords[kind].watched) })}
      />
      <Button says="Close" onClick={close} />
    </div>
  );
}

/** The reason why the limits cannot be changed here; empty if they can. */
function reason(form: FormEntry | undefined): string {
  if (!isAboard) return say("The limits are changed on board.");
  if (projects.value === undefined && unread.value !== undefined)
    return say("The limits are not known here, and cannot be changed: {why}", { why: unread.value });
  if (isUnread.value) return say("The project {project} is not read.", { project: chosen.value ?? "" });
  return form === undefined || projects.value === undefined ? say("Reading") : "";
}

export function Limits({ data, isHeard }: WatchesProps) {
  const [edited, setEdited] = useState<Kind>();
  const [, , named = ""] = hash.value.split("/");
  // The address may name an alarm: #/alarms/depth
  useEffect(() => {
    if (Object.hasOwn(alarmWords, named)) setEdited(named as Kind);
  }, [named]);
  const form = useForm();
  const why = reason(form);
  const inForce = deployedEntryOf(ALARMS) as Values;
  const installed = installedReference(secondTick.value);
  const limitOf = (kind: Kind): Limit | undefined => {
    const schema = form?.schema.properties?.[kind];
    if (why !== "" || schema === undefined) return undefined;
    const isEdited = edited === kind;
    const change = (): void => setEdited(isEdited ? undefined : kind);
    return {
      text: limitText(schema, { kind, units: settings.value.units, installed }, inForce[kind] as Values | undefined),
      ...{ isEdited, change },
      editor: isEdited && <Editor kind={kind} form={form!} close={() => setEdited(undefined)} />,
    };
  };
  const { rows = [] } = (inForce.limits ?? {}) as { readonly rows?: readonly { id?: unknown; text?: unknown }[] };
  const titleOfLimit = (wanted: string): string | undefined => {
    const text = rows.find(({ id }) => id === wanted)?.text;
    return typeof text === "string" ? text : undefined;
  };
  return (
    <WatchList data={data} isHeard={isHeard} limitOf={limitOf} titleOfLimit={titleOfLimit}>
      {why !== "" && <p class="hint">{why}</p>}
    </WatchList>
  );
}
