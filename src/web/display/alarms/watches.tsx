import { lazy } from "../parts/lazy.tsx";
import { type WatchesProps, WatchList } from "./watch-list.tsx";

/** Limits are loaded with the forms of the page Boat; without the boat's server only the states are shown. */
export const Watches = lazy<WatchesProps>(
  () => import("../boat/limits.tsx").then(({ Limits }) => Limits),
  (props) => <WatchList {...props} />,
);
