/** Whether a form offers all values that the boat measures, for which the page subscribes to all messages. */
import { signal } from "@preact/signals";

export const isValueChosen = signal(false);
