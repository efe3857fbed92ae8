/** The name of the boat on paper: the report of the network and the log book, as somebody has typed it in this browser. */
import { stored } from "./stored.ts";

export const boatOnPaper = stored("hub-display-boat", (json) => (typeof json === "string" ? json : undefined));
