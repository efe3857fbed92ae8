/**
 * All pages. A new one is its row in `listed`, or in `folded`; its view is loaded when it is first shown, except those of
 * Sail, Route and Distress.
 */

import { definitions } from "../../../core/n2k/pgns/index.ts";
import { appTopics, topics } from "../../../core/topics/topics.ts";
import { isValueChosen } from "../alarms/value-choice.ts";
import { boatPgns } from "../boat/pgns.ts";
import { hull } from "../data/hull.ts";
import { settings } from "../data/settings.ts";
import { instrumentOf, instrumentOfHash } from "../instruments/instruments.ts";
import { said, say } from "../languages/say.ts";
import { screenAddress } from "../mine/screens.ts";
import { Loading, lazy, lazyView } from "../parts/lazy.tsx";
import { systemPgns } from "../systems/system-pgns.ts";
import { systemName, valueOfHash } from "../systems/system-values.ts";
import { distress } from "./distress.tsx";
import { more } from "./more.tsx";
import { type Page, pgnFilters } from "./page.ts";
import { route } from "./route.tsx";
import { sail } from "./sail.tsx";

const listed: readonly Page[] = [
  sail,
  route,
  {
    name: "mine",
    title: "Mine",
    icon: "M4 5H10V11H4ZM14 5H20V11H14ZM4 15H10V21H4ZM14 15H20V21H14Z",
    addresses: () => settings.value.mine.map((_, at) => screenAddress(at)),
    View: lazyView(() => import("../mine/mine-view.tsx").then(({ MineView }) => MineView)),
  },
  {
    name: "ships",
    title: "Ships",
    icon: "M12 3A9 9 0 1 1 11.9 3ZM12 7A5 5 0 1 1 11.9 7ZM12 12L18 5",
    filters: (prefix) => [topics.ais.name({ prefix })],
    View: lazyView(() => import("../ships/ships-view.tsx").then(({ Ships }) => Ships)),
  },
  {
    name: "systems",
    title: "Systems",
    icon: "M3 8H21V19H3ZM6 8V5H9V8M15 8V5H18V8M6 13H10M14 13H18M16 11V15",
    filters: (prefix) => [
      ...pgnFilters(prefix, systemPgns),
      // When a device that is lost was heard last.
      topics.traffic.name({ prefix }),
      topics.knownDevices.name({ prefix }),
    ],
    View: lazyView(() => import("../systems/systems-view.tsx").then(({ Systems }) => Systems)),
  },
  {
    name: "devices",
    title: "Devices",
    icon: "M3 12H21M7 12V6M12 12V18M17 12V6M5 3H9V6H5ZM15 3H19V6H15ZM10 18H14V21H10Z",
    about: "who is on the bus and what they send",
    filters: (prefix) => [topics.traffic.name({ prefix }), topics.knownDevices.name({ prefix })],
    View: lazyView(() => import("./devices-view.tsx").then(({ Devices }) => Devices)),
  },
  {
    name: "bus",
    title: "Bus",
    icon: "M2 13H6L9 5L14 19L17 11L18 13H22",
    about: "what is wrong with it, load, losses and the state of hub-cand",
    filters: (prefix) => [topics.findings.name({ prefix }), topics.traffic.name({ prefix })],
    View: lazyView(() => import("../bus/bus-view.tsx").then(({ BusView }) => BusView)),
  },
  {
    name: "messages",
    title: "Data",
    icon: "M4 6H20M4 12H20M4 18H13",
    about: "every topic with its latest message",
    hearsAll: true,
    View: lazyView(() => import("./messages-view.tsx").then(({ MessagesView }) => MessagesView)),
  },
  {
    name: "alarms",
    title: "Alarms",
    icon: "M6 17C7 15 7 13 7 10A5 5 0 0 1 17 10C17 13 17 15 18 17ZM10 20A2 2 0 0 0 14 20",
    about: "what rings, what rang, what is watched, the anchor watch",
    hasAlarms: true,
    filters: (prefix) => {
      const all = isValueChosen.value ? definitions.map(({ pgn }) => pgn) : [];
      return [topics.alarmHistory.name({ prefix }), ...pgnFilters(prefix, all)];
    },
    View: lazyView(() => import("./alarms-view.tsx").then(({ Alarms }) => Alarms)),
  },
  {
    name: "boat",
    title: "Boat",
    icon: "M3 14H21L18 19H6ZM6 14V9H14L18 14M10 9V5",
    isAboard: true,
    filters: (prefix) => [
      ...pgnFilters(prefix, boatPgns),
      topics.knownDevices.name({ prefix }),
      topics.layouts.name({ prefix }),
      appTopics.linkAccess,
    ],
    View: lazyView(() => import("../boat/boat-view.tsx").then(({ BoatView }) => BoatView)),
  },
  {
    name: "settings",
    title: "Setup",
    icon: "M4 7H13M17 7H20M15 5A2 2 0 1 1 14.9 5ZM4 17H7M11 17H20M9 15A2 2 0 1 1 8.9 15Z",
    about: "language, light, units and the broker",
    // The interfaces of all prefixes of two levels, the usual form.
    filters: () => [topics.interface.filter({ prefix: "+/+" })],
    View: lazyView(() => import("./settings-view.tsx").then(({ SettingsPage }) => SettingsPage)),
  },
];

const isReachable = ({ isAboard }: Page): boolean => !isAboard || hull === undefined;

const reachable = listed.filter(isReachable);

/** Pages that the page `more` lists at all sizes. */
const allFolded: readonly Page[] = [
  {
    name: "anchor",
    title: "Anchor",
    icon: "M12 3A2 2 0 1 1 11.9 3ZM12 7V21M8 10H16M4 14Q5 20 12 21Q19 20 20 14",
    about: "circle, swing, and the watch that rings",
    filters: (prefix) => [topics.ais.name({ prefix })],
    View: lazyView(() => import("./anchor-view.tsx").then(({ Anchor }) => Anchor)),
  },
  distress,
  // One of them by its name too: `#/voyages/2026-11-29T081426Z`.
  {
    name: "voyages",
    title: "Voyages",
    icon: "M3 20C8 20 6 12 12 12S16 4 21 4M3 20V16M21 4V8",
    about: "where the boat was, the log book, tracks for other programs",
    isAboard: true,
    View: lazyView(() => import("../voyages/voyages-view.tsx").then(({ VoyagesView }) => VoyagesView)),
  },
  {
    name: "report",
    title: "Report",
    icon: "M6 3H15L19 7V21H6ZM9 11H16M9 15H16M9 7H12",
    about: "Report of the NMEA 2000 network",
    filters: (prefix) => [topics.findings.name({ prefix }), topics.traffic.name({ prefix })],
    View: lazyView(() => import("../bus/report-view.tsx").then(({ ReportView }) => ReportView)),
  },
  {
    name: "recordings",
    title: "Recordings",
    icon: "M4 4H20V20H4ZM4 8H20M8 12V16M12 11V17M16 13V15",
    about: "read a file of a bus: devices, findings, messages",
    View: lazy(() => import("../recordings/recordings-view.tsx").then(({ RecordingsView }) => RecordingsView), Loading),
  },
];
const folded = allFolded.filter(isReachable);

/** Pages of one value, which others link to: `#/value/depth`, and of a system `#/trend/battery/20/0/voltageV`. */
const ofValues: readonly Page[] = [
  {
    name: "value",
    title: (address) => said(instrumentOf(instrumentOfHash(address)).name),
    View: lazyView(() => import("./value-view.tsx").then(({ Value }) => Value)),
  },
  {
    name: "trend",
    title: (address) => {
      const value = valueOfHash(address);
      return value === undefined ? "Trend" : systemName(value);
    },
    filters: (prefix) => pgnFilters(prefix, systemPgns),
    View: lazyView(() => import("./trend-view.tsx").then(({ TrendPage }) => TrendPage)),
  },
];

/** Pages that the page `more` lists: on large screens the folded ones alone, the others are in the navigation. */
export const restPages = [...folded, ...reachable.filter(({ about }) => about !== undefined)];

const rest = more(restPages);

/** In the order of the navigation and of the digit keys. */
export const listedPages: readonly Page[] = [...reachable, rest];

/** The addresses in the order of swipes: the pages, and each screen of a page with several screens. */
export const addressesInOrder = (): readonly string[] =>
  reachable.flatMap(({ name, addresses }) => addresses?.() ?? [name]);

export const pages: readonly Page[] = [...listed, rest, ...ofValues, ...folded];

/** The page of an address; the first for an unknown one. */
export const pageOf = (hash: string): Page => pages.find(({ name }) => hash.split("/")[1] === name) ?? sail;

export const titleOf = ({ title }: Page, hash: string): string =>
  typeof title === "string" ? say(title) : title(hash);
