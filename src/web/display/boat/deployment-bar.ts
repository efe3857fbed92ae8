/** Where the bar of changes is shown: where settings are changed, and where it was asked for. */
import { signal } from "@preact/signals";
import { say } from "../languages/say.ts";

/** Pages on which settings are changed. */
const editing: readonly string[] = ["boat", "alarms"];

export const isEditing = (page: string): boolean => editing.includes(page);

/** The page on which a change was made here, or the mark in the head was pressed, until another page is shown. */
export const barOf = signal<string>();

export const isBarShown = (page: string): boolean => isEditing(page) || barOf.value === page;

export const changesText = (count: number): string => say("{count} change{count:|s} not in force", { count });
