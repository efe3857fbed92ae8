/**
 * Readers of messages, in place of those that programs and pages have: what several of them hear is read once. A payload
 * is the same object for all to whom the broker of the world delivers it.
 */
import * as messages from "../../src/core/topics/messages.ts";
import * as reading from "../../src/core/topics/read-message.ts";

export * from "../../src/core/topics/read-message.ts";

/** The results of a function of a name and an object; what it throws is not kept. */
function shared<Name, Of extends object, Result>(read: (name: Name, of: Of) => Result): typeof read {
  const known = new WeakMap<Of, Map<Name, Result>>();
  return (name, of) => {
    let results = known.get(of);
    if (results === undefined) {
      results = new Map();
      known.set(of, results);
    }
    if (!results.has(name)) results.set(name, read(name, of));
    return results.get(name)!;
  };
}

export const readJson = shared(messages.readJson);
export const readPgnMessage = shared(reading.readPgnMessage as (pgn: number, value: object) => unknown);
export const readMessage = shared(reading.readMessage as (topic: reading.ReadTopic, value: object) => unknown);
