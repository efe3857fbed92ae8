/** The field that names the tapped thing. */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { MAX_THING_NAME } from "../../../core/n2k/named-thing.ts";
import { thingId } from "../../../core/n2k/thing.ts";
import { namesOf } from "../data/device-names.ts";
import { type Naming, naming } from "../data/names.ts";
import { say } from "../languages/say.ts";
import { hash } from "../navigation/address.ts";
import { Button } from "../parts/button.tsx";
import { Form } from "../parts/form.tsx";
import { kindOfThing } from "../systems/thing-kinds.ts";
import { NamedMeanwhile, nameIn, withName } from "./named-things.ts";
import { saveEntry } from "./state.ts";

function NameForm({ of }: { readonly of: Naming }) {
  const { device, thing, before } = of;
  // Not the field of another thing, which was tapped while the name of this one was on its way.
  const close = (): void => {
    if (naming.peek() === of) naming.value = undefined;
  };
  const kind = kindOfThing(thing);
  const [text, setText] = useState(before);
  const field = useRef<HTMLInputElement>(null);
  const page = hash.value;
  const opened = useRef(page);
  // The thing is on the page on which it was tapped.
  useEffect(() => {
    if (page !== opened.current) close();
  }, [page]);
  // Before the next frame: a key that is pressed at once is for the field.
  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.select();
  }, []);
  const save = async (name: string): Promise<void> => {
    const sentence =
      name === "" ? say("{kind} has no name.", { kind }) : say("{kind} is named {name}.", { kind, name });
    const isSaved =
      name === before ||
      (await saveEntry(
        "names",
        (entry) => {
          const present = nameIn(entry, namesOf(device), thing);
          if (present !== before && present !== name) {
            naming.value = { ...of, before: present };
            throw new NamedMeanwhile(present);
          }
          return withName(entry, namesOf(device), thing, name);
        },
        sentence,
      ));
    if (isSaved) close();
  };
  return (
    <Form
      class="naming"
      data-id="naming"
      onSubmit={() => void save(text.trim())}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <label>
        <span>{say("Name of {kind}", { kind })}</span>
        <input
          ref={field}
          maxLength={MAX_THING_NAME}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <Button says="Save" type="submit" class="main-action" />
      {before !== "" && <Button says="No name" onClick={() => void save("")} />}
      <Button says="Cancel" onClick={close} />
    </Form>
  );
}

export function NamingForm() {
  const of = naming.value;
  return of === undefined ? null : <NameForm key={`${of.device} ${thingId(of.thing)}`} of={of} />;
}
