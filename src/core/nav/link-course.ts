/** The destination that hub-link holds: its report for displays, and their command. */
import * as z from "zod";
import { latitude, longitude } from "./report-numbers.ts";

/** Maximum characters of the name, which the sentence RMB has too. */
const MAX_NAME = 20;
const MAX_PRESS = 24;

const destination = z.object({
  latitude,
  longitude,
  name: z.string().min(1).max(MAX_NAME).optional(),
  /** Of a person overboard, as her alarm has it: her release ends the course. */
  press: z.string().min(1).max(MAX_PRESS).optional(),
});
export type Destination = z.infer<typeof destination>;

/** `app/link/course`; retained while hub-link is connected. */
export const courseReport = z.object({
  destination: destination.optional(),
  /** Why the last command was not executed; absent after one that was. */
  refused: z.string().optional(),
});
export type CourseReport = z.infer<typeof courseReport>;

/** Payload of `app/link/course/set`: where to go, or null to end it. */
export const courseCommand = destination.nullable();
