/** The time of a transaction is proportional to its steps, of any kind, and not to their square. */
import { expect, test } from "vitest";
import type { Json } from "../../../src/core/project/json.ts";
import { newApp } from "./harness.ts";

type Steps = (place: number, of: number) => readonly [method: string, path: string, data?: Json];

const config = (deviceId: number, name: string): Json => ({
  config: [{ deviceId, parameters: [{ name, value: "on" }] }],
});

const kinds: Readonly<Record<string, Steps>> = {
  "puts of entries": (place) => ["PUT", `/sensor/s${place}`, {}],
  "puts and deletes of entries": (place, of) =>
    place < of / 2 ? ["PUT", `/sensor/s${place}`, {}] : ["DELETE", `/sensor/s${place - of / 2}`],
  "puts and deletes in turn": (place) => {
    if (place % 3 === 2) return ["DELETE", `/view/v${place - 1}`];
    return ["PUT", `/view/v${place}`, {}];
  },
  synapse: (place, of) =>
    place < of / 2 ? ["PUT", `/synapse/s${place}`, {}] : ["DELETE", `/synapse/s${place - of / 2}`],
  "rules without devices": (place) => ["PUT", `/muxing/m${place}`, config(place % 4096, `p${place}`)],
  "rules of one parameter": (place, of) => {
    if (place === 0 || place === of - 1) return ["PUT", "/device/1"];
    return place < of / 2 ? ["PUT", `/muxing/m${place}`, config(1, "p")] : ["DELETE", `/muxing/m${of - place - 1}`];
  },
  "rules of one device": (place) => {
    if (place === 0) return ["PUT", "/device/1"];
    return ["PUT", `/muxing/m${place}`, config(1, `p${place}`)];
  },
  "devices under rules": (place) => {
    if (place < 1000) return ["PUT", `/muxing/m${place}`, config(place, "p")];
    return place % 2 === 0 ? ["PUT", `/device/${place % 1000}`] : ["DELETE", `/device/${(place - 1) % 1000}`];
  },
  "parameters of one device": (place, of) => {
    if (place === 0) return ["PUT", "/device/1"];
    const parameter = `/device/1/parameter/p${place <= of / 2 ? place : place - of / 2}`;
    return place <= of / 2 ? ["PUT", parameter, { value: 1 }] : ["DELETE", parameter];
  },
  "labels of one device": (place) =>
    place === 0 ? ["PUT", "/device/1"] : ["PUT", `/device/1/legend/16.R${place}`, { text: "x" }],
  "rules of a commissioning group": (place) =>
    place === 0 ? ["PUT", "/commissioning/g", {}] : ["PUT", "/commissioning/g/rules", { muxing: [`m${place}`] }],
  "names of views": (place, of) => {
    if (place < of / 2) return ["PUT", `/view/v${place}`, {}];
    return ["PUT", `/view/v${place - of / 2}/name`, `w${place}`];
  },
  "reading the whole project": (place) => (place % 2 === 0 ? ["PUT", `/view/v${place}`, {}] : ["GET", "/backup"]),
};

async function cpuOf(steps: Steps, count: number): Promise<number> {
  const app = newApp();
  app.place("a", { uid: "u", name: "A" });
  const body = Array.from({ length: count }, (_, place) => {
    const [method, path, data] = steps(place, count);
    return { method, url: `/project/a${path}`, ...(data !== undefined && { data }) };
  });
  const begin = process.cpuUsage();
  const response = await app.request("/project/a/transaction", { method: "POST", body });
  const { user, system } = process.cpuUsage(begin);
  expect([response.status, response.status === 200 ? "" : await response.text()]).toEqual([200, ""]);
  return (user + system) / 1000;
}

test.each(Object.keys(kinds))("transactions take linear time: %s", async (kind) => {
  await cpuOf(kinds[kind]!, 1000);
  // Other work of the machine and the process adds time to some rounds, and takes away none.
  let [few, many] = [Infinity, Infinity];
  // Five times as many steps; the square would be 25 times.
  const isLinear = (): boolean => many / few < 15;
  for (let round = 0; round < 5 && !isLinear(); round++) {
    few = Math.min(few, await cpuOf(kinds[kind]!, 1000));
    many = Math.min(many, await cpuOf(kinds[kind]!, 5000));
  }
  expect(isLinear(), `${many} ms, ${few} ms`).toBe(true);
});
