/** All topics with rate and latest message, filtered by words. */
import { lazyView } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

export const messages: Page = {
  name: "messages",
  title: "Data",
  icon: "M4 6H20M4 12H20M4 18H13",
  about: "every topic with its latest message",
  hearsAll: true,
  View: lazyView(() => import("./messages-view.tsx").then(({ MessagesView }) => MessagesView)),
};
