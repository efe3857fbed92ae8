import { expect, test } from "vitest";
import { RetainedStates, type StateLink } from "../../../../src/adapters/node/mqtt/retained-states.ts";

test("an answer of the connection before makes no room for one more state than the broker permits", () => {
  const answers: (() => void)[] = [];
  const linkTo = (sent: string[]): StateLink => ({
    canExpire: true,
    permitted: 1,
    send(topic, _payload, _expirySeconds, onAnswer) {
      sent.push(topic);
      answers.push(onAnswer);
    },
  });
  const states = new RetainedStates({ monotonic: () => 0 });
  for (const topic of ["a", "b"]) states.set(topic, "1");
  states.attach(linkTo([]));
  states.detach();
  const sent: string[] = [];
  states.attach(linkTo(sent));
  const [before, now] = answers;
  before!();
  expect(sent).toEqual(["a"]);
  now!();
  expect(sent).toEqual(["a", "b"]);
});
