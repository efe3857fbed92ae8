/** The words for a thing without a name by the crew: "Fuel 2", "Engine, starboard", "Switch 3 of bank 0". */
import { placeOfTemperature } from "../../../core/n2k/lookups.ts";
import {
  acInputStatus,
  acOutputStatus,
  batteryStatus,
  binarySwitchBankStatus,
  chargerStatus,
  fluidLevel,
  inverterStatus,
} from "../../../core/n2k/pgns/electrical.ts";
import { temperature } from "../../../core/n2k/pgns/environment.ts";
import { definitions } from "../../../core/n2k/pgns/index.ts";
import { engineParametersRapid } from "../../../core/n2k/pgns/propulsion.ts";
import type { Thing, ThingKey } from "../../../core/n2k/thing.ts";
import { said, say } from "../languages/say.ts";
import type { PlainText } from "../languages/texts.ts";
import { nameOfEngine } from "./engine-name.ts";

const numbered =
  (kind: PlainText, member = "instance") =>
  (key: ThingKey): string =>
    `${say(kind)} ${key[member] ?? ""}`;

const kinds: ReadonlyMap<number, (key: ThingKey) => string> = new Map([
  [engineParametersRapid.pgn, ({ engineInstance: instance = 0 }: ThingKey) => nameOfEngine(Number(instance))],
  [batteryStatus.pgn, numbered("Battery")],
  [fluidLevel.pgn, ({ fluidType = "Tank", instance = "" }: ThingKey) => `${said(String(fluidType))} ${instance}`],
  [chargerStatus.pgn, numbered("Charger", "chargerInstance")],
  [inverterStatus.pgn, numbered("Inverter", "inverterInstance")],
  [acInputStatus.pgn, numbered("AC input")],
  [acOutputStatus.pgn, numbered("AC output")],
  [
    binarySwitchBankStatus.pgn,
    ({ instance = "", switch: number }: ThingKey) =>
      number === undefined
        ? say("Switch bank {bank}", { bank: instance })
        : say("Switch {number} of bank {bank}", { number, bank: instance }),
  ],
  [
    temperature.pgn,
    ({ source = "Temperature", instance = "" }: ThingKey) => `${said(placeOfTemperature(String(source)))} ${instance}`,
  ],
]);

export function kindOfThing({ pgn, key }: Thing): string {
  const kind =
    kinds.get(pgn)?.(key) ??
    [definitions.find((each) => each.pgn === pgn)?.title ?? pgn, ...Object.values(key)].join(" ");
  return kind.trim();
}
