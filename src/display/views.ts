/** The pages as the navigation shows them. */
import { hull } from "./hull.ts";
import type { Page } from "./topic-filters.ts";

interface ViewText {
  readonly name: string;
  /** SVG path in a box of 24 by 24. */
  readonly icon: string;
  /** Of pages that small screens list on the page `more`. */
  readonly about?: string;
}

/** All pages but that of one instrument, in the order of the navigation and of the digit keys. */
export const views = {
  sail: { name: "Sail", icon: "M12 2V18M12 3C17 7 18 12 18 16H12M10 7C8 10 7 13 6 16H10M3 20H21" },
  route: { name: "Route", icon: "M5 20V5H17L14 9L17 13H5M9 20H19" },
  mine: { name: "Mine", icon: "M4 5H10V11H4ZM14 5H20V11H14ZM4 15H10V21H4ZM14 15H20V21H14Z" },
  ships: { name: "Ships", icon: "M12 3A9 9 0 1 1 11.9 3ZM12 7A5 5 0 1 1 11.9 7ZM12 12L18 5" },
  systems: { name: "Systems", icon: "M3 8H21V19H3ZM6 8V5H9V8M15 8V5H18V8M6 13H10M14 13H18M16 11V15" },
  devices: {
    name: "Devices",
    icon: "M3 12H21M7 12V6M12 12V18M17 12V6M5 3H9V6H5ZM15 3H19V6H15ZM10 18H14V21H10Z",
    about: "who is on the bus and what they send",
  },
  bus: { name: "Bus", icon: "M2 13H6L9 5L14 19L17 11L18 13H22", about: "load, losses and the state of the bridge" },
  messages: { name: "Data", icon: "M4 6H20M4 12H20M4 18H13", about: "every topic with its latest message" },
  alarms: {
    name: "Alarms",
    icon: "M6 17C7 15 7 13 7 10A5 5 0 0 1 17 10C17 13 17 15 18 17ZM10 20A2 2 0 0 0 14 20",
    about: "what rings, what is watched, the anchor watch",
  },
  boat: {
    name: "Boat",
    icon: "M3 14H21L18 19H6ZM6 14V9H14L18 14M10 9V5",
    about: "name devices, prefer sources, limits, projects",
  },
  settings: {
    name: "Setup",
    icon: "M4 7H13M17 7H20M15 5A2 2 0 1 1 14.9 5ZM4 17H7M11 17H20M9 15A2 2 0 1 1 8.9 15Z",
    about: "light, units, limits and the broker",
  },
  more: { name: "More", icon: "M5 11A1 1 0 1 1 4.9 11ZM12 11A1 1 0 1 1 11.9 11ZM19 11A1 1 0 1 1 18.9 11Z" },
} as const satisfies Readonly<Partial<Record<Page, ViewText>>>;

export type ListedPage = keyof typeof views;

/** The page Boat writes to the boat's own configuration service, which the fleet does not reach. */
export const listedPages = (Object.keys(views) as readonly ListedPage[]).filter(
  (page) => page !== "boat" || hull === undefined,
);

/** Pages that small screens list on the page `more`. */
export const restPages = listedPages.filter((page): page is RestPage => "about" in views[page]);

type RestPage = {
  [Name in ListedPage]: (typeof views)[Name] extends { readonly about: string } ? Name : never;
}[ListedPage];
