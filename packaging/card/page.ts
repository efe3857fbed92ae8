/** The page of a card: what is wrong with hub.txt, and the form that asks for the settings of a card that has none. */

import { escaped } from "../../src/core/text/xml.ts";
import { hats, type Key, keys } from "./hub-txt.ts";
import { clocks } from "./overlays.ts";

const labels: Readonly<Record<Key, string>> = {
  name: "Name of the boat",
  country: "Country, two letters",
  wifi: "Wi-Fi: client, access-point or off",
  "wifi-name": "Name of the Wi-Fi network",
  "wifi-password": "Its password, 8 characters or more",
  "time-zone": "Time zone, such as Europe/Amsterdam",
  "ssh-key": "SSH key of the owner: the line of a .pub file",
  bus: "The boat's network: usb, hat and its name, the URL of a gateway, simulated, none",
  options: "Further options of hub-cand, such as --home-assistant",
  clock: "Clock with a battery on a HAT",
  screen: "Display on a screen of this computer: yes or no",
};

const suggestions: Readonly<Partial<Record<Key, readonly string[]>>> = {
  wifi: ["client", "access-point", "off"],
  bus: ["usb", ...Object.keys(hats).map((name) => `hat ${name}`), "yd-raw+tcp://192.168.4.1:1457", "simulated", "none"],
  options: ["--node", "--home-assistant", "--node --home-assistant"],
  clock: clocks,
  screen: ["yes", "no"],
};

const field = (key: Key, value: string): string => {
  const list = suggestions[key];
  const options = list?.map((each) => `<option value="${escaped(each)}">`).join("") ?? "";
  return `<label>${escaped(labels[key])}<input name="${key}" value="${escaped(value)}" autocomplete="off" autocapitalize="none"${list ? ` list="of-${key}"` : ""}></label>${list ? `<datalist id="of-${key}">${options}</datalist>` : ""}`;
};

const document = (body: string): string => `<!doctype html>
<html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>The card of this boat</title>
<style>body{font:1rem/1.5 sans-serif;max-width:34rem;margin:1rem auto;padding:0 1rem}label{display:block;margin:1rem 0}
input{display:block;width:100%;box-sizing:border-box;font:inherit;padding:.5rem}button{font:inherit;padding:.6rem 1.5rem}
.wrong{border-left:.3rem solid #b00;padding-left:.7rem}</style>
${body}
</html>
`;

const listOf = (faults: readonly string[]): string =>
  faults.length === 0 ? "" : `<ul class="wrong">${faults.map((each) => `<li>${escaped(each)}`).join("")}</ul>`;

/** The page with the form; `values` are those of an answer that is wrong. */
export const askingPage = (faults: readonly string[], values: Readonly<Partial<Record<Key, string>>> = {}): string =>
  document(`<h1>Set up this boat</h1>
<p>All of it can be left empty, and stands in the file hub.txt of the card, which any computer can edit.</p>
${listOf(faults)}<form method="post" action="/card/">
${keys.map((key) => field(key, values[key] ?? "")).join("\n")}
<p><button>Write to the card and start again</button></form>`);

/** The page of a card that has been set up. */
export const saidPage = (said: string): string =>
  document(`<h1>The card of this boat</h1>
<pre>${escaped(said)}</pre><p><a href="/">The display</a>`);

export const takenPage = (): string =>
  document(`<h1>Written</h1>
<p>The boat's computer starts again. In a minute the display is at <a href="http://hub.local/">http://hub.local/</a>, in the
network that you have named.`);
