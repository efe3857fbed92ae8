/**
 * Commands to the alarms, by the topics below `{prefix}/alarms`:
 *
 *     {id}/set, all/set      acknowledge | silence
 *     anchorWatch/set        {"radius": 40, "latitude": 52.1, "longitude": 4.2}, radius and position optional; empty or null ends it
 */
import * as z from "zod";
import { latitude, longitude } from "../nav/report-numbers.ts";

/** Bytes of a payload; an anchor watch with all decimals needs a hundred. */
export const MAX_COMMAND_BYTES = 256;
/** Bytes of a message besides the topic filter: payload, what stands for `{id}`, and the length of the topic. */
export const MAX_COMMAND_MESSAGE_BYTES = MAX_COMMAND_BYTES + 64 + 2;

/** Payload of `{id}/set`, without quotes. */
export const alarmAnswer = z.enum(["acknowledge", "silence"]).describe("bare text without quotes");
export type AlarmAnswer = z.infer<typeof alarmAnswer>;

/** Payload of `anchorWatch/set`. Without a position the anchor is where the boat is. */
export const anchorWatchCommand = z
  .strictObject({
    radius: z.number().min(5).max(1000).describe("metres; by default as in the settings").optional(),
    latitude: latitude.optional(),
    longitude: longitude.optional(),
  })
  .refine(({ latitude, longitude }) => (latitude === undefined) === (longitude === undefined));

export type AlarmCommand =
  | { readonly kind: "answer"; readonly id: string; readonly answer: AlarmAnswer }
  | { readonly kind: "watchAnchor"; readonly watch: z.infer<typeof anchorWatchCommand> }
  | { readonly kind: "endAnchorWatch" };

/** Undefined for a payload that is no command. */
export function alarmCommandOf(target: string, payload: string): AlarmCommand | undefined {
  if (target !== "anchorWatch") {
    const answer = alarmAnswer.options.find((each) => each === payload);
    return answer && { kind: "answer", id: target, answer };
  }
  if (payload === "" || payload === "null") return { kind: "endAnchorWatch" };
  try {
    const { data } = anchorWatchCommand.safeParse(JSON.parse(payload));
    return data && { kind: "watchAnchor", watch: data };
  } catch {
    return undefined;
  }
}
