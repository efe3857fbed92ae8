/** Whether hub-cand publishes a recording: that is not the boat's, so that neither history nor log book take it. */
import { readJson } from "../../core/topics/messages.ts";
import { readMessage } from "../../core/topics/read-message.ts";
import { topics } from "../../core/topics/topics.ts";
import { attempt } from "../../core/util/attempt.ts";

export class ReplayWatch {
  /** The topic that tells it, before the messages of the recording. */
  readonly topic: string;
  #isReplay = false;

  constructor(prefix: string) {
    this.topic = topics.interface.name({ prefix });
  }

  /** Takes a message, and returns whether it is the boat's. An empty one ends the recording, and names no next source. */
  hear(topic: string, payload: Uint8Array | undefined): boolean {
    if (topic === this.topic && payload !== undefined && payload.length > 0) this.#isReplay = isReplay(payload);
    return !this.#isReplay;
  }
}

const isReplay = (payload: Uint8Array): boolean =>
  attempt(() => readMessage("interface", readJson("interface", payload)).data.interface) === "replay";
