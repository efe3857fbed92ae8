/**
 * A definition read as a key: the stream of a PGN and sender to which a message belongs.
 *
 * A tank sender reports several tanks in one PGN, a wind instrument apparent and true wind. The key distinguishes these
 * streams, so that a rate limit does not drop one in favour of another.
 */
import { decoderOf, type Read } from "./decode.ts";
import type { Definition } from "./definition.ts";
import { bitsOf } from "./field.ts";
import { bitsWhere, keyNames, placedFields } from "./layout.ts";
import type { Payload } from "./payload.ts";

/**
 * Makes a function that gives the key of a message as text, for comparison only: the bits of its key fields as they are
 * on the wire, so that codes without a meaning differ too. Undefined for an event, which no other message replaces.
 *
 * @example streamKeyOf(fluidLevel)(payloadOf(bytes, source))
 */
export function streamKeyOf(definition: Definition): (payload: Payload) => string | undefined {
  return definition.event ? () => undefined : identityOf(definition);
}

/** Like `streamKeyOf`, for events too: the instance that a message is about. */
export function identityOf(definition: Definition): (payload: Payload) => string {
  const { fields } = definition;
  // A text, and each field after it, has another place in each message.
  if (placedFields(fields).some(({ field, bit }) => field.key && (bit === undefined || bitsOf(field) === undefined)))
    return textsOfKeys(definition);
  const bits = bitsWhere(fields, (field) => field.key === true);
  return ({ bytes, at, end }) => {
    let text = "";
    // Fields beyond the end of a short payload are not available: all ones.
    for (const [byte, mask] of bits) text += String.fromCharCode(at + byte < end ? bytes[at + byte]! & mask : mask);
    return text;
  };
}

function textsOfKeys(definition: Definition): (payload: Payload) => string {
  const read = decoderOf(definition) as Read<Readonly<Record<string, unknown>>>;
  const names = keyNames(definition);
  return ({ bytes, at, end, source }) => {
    const message = read(bytes, at, end, source);
    return JSON.stringify(names.map((name) => message[name]));
  };
}
