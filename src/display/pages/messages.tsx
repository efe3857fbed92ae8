/** All topics with rate and latest message, filtered by words. */
import { lazy } from "../parts/lazy.tsx";
import type { Page } from "./page.ts";

const View = lazy(
  () => import("./messages-view.tsx").then(({ MessagesView }) => MessagesView),
  () => <p class="nothing">Loading</p>,
);

export const messages: Page = {
  name: "messages",
  title: "Data",
  icon: "M4 6H20M4 12H20M4 18H13",
  about: "every topic with its latest message",
  hearsAll: true,
  View,
};
