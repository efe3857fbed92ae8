/** The name of the boat that is printed on the report of the network and on the log book, typed in this browser. */
import { stored } from "./stored.ts";

export const boatOnPaper = stored("hub-display-boat", (json) => (typeof json === "string" ? json : undefined));
