/** The words for an engine without a name by the crew. */
import { say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";

const engineNames: readonly PlainText[] = ["Engine, port or single", "Engine, starboard"];

export function nameOfEngine(instance: number): string {
  const name = engineNames[instance];
  return name === undefined ? say("Engine {engine}", { engine: instance }) : say(name);
}
