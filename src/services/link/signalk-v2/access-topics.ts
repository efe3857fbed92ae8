/** Access requests on the broker: the list of requests and holders, and the answers of the boat. */
import type { Clock } from "../../../core/ports/clock.ts";
import type { Log } from "../../../core/ports/log.ts";
import { accessAnswer } from "../../../core/report/link-access.ts";
import { appTopics, linkAnswer } from "../../../core/topics/topics.ts";
import type { Access } from "./access.ts";

interface AccessTopicsOptions {
  readonly access: Access;
  readonly clock: Pick<Clock, "every">;
  /** Limits the rate of its lines itself. */
  readonly log: Log;
  /** Publishes a retained message; false while the broker is away. */
  publish(topic: string, payload: string): boolean;
}

const CHECK_MS = 1000;

export class AccessTopics {
  readonly filters: readonly string[] = [appTopics.linkAnswers, appTopics.linkAccess];
  readonly #options: AccessTopicsOptions;
  readonly #stop: () => void;
  #published = "";
  /** Reports that have not come back from the broker; others at their topic are of another hub-link. */
  #underWay: string[] = [];

  constructor(options: AccessTopicsOptions) {
    this.#options = options;
    this.#stop = options.clock.every(CHECK_MS, () => this.#publish());
  }

  /** The broker may have lost the list. */
  connected(): void {
    this.#published = "";
    this.#underWay = [];
    this.#publish();
  }

  /** Takes an answer or a report; false for another topic. A retained answer was for an earlier request. */
  hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean): boolean {
    if (topic === appTopics.linkAccess) {
      if (!isRetained && payload?.length !== 0) this.#hearReport(new TextDecoder().decode(payload));
      return true;
    }
    const id = topic.split("/").at(-2) ?? "";
    if (topic !== linkAnswer(id)) return false;
    const { success, data } = accessAnswer.safeParse(new TextDecoder().decode(payload?.subarray(0, MAX_BYTES)));
    if (success && !isRetained) void this.#answer(id, data);
    return true;
  }

  close(): void {
    this.#stop();
  }

  #hearReport(report: string): void {
    const index = this.#underWay.indexOf(report);
    this.#underWay.splice(0, index + 1);
    if (index >= 0) return;
    this.#options.log.warn("another hub-link publishes at the topics of this one", {
      code: "LINK_TWICE",
      topic: appTopics.linkAccess,
    });
  }

  async #answer(id: string, answer: Parameters<Access["answer"]>[1]): Promise<void> {
    try {
      await this.#options.access.answer(id, answer);
    } catch (error) {
      const reason = (error as Error).message;
      this.#options.log.error("tokens cannot be stored", { code: "TOKENS_NOT_STORED", reason });
    }
    this.#publish();
  }

  #publish(): void {
    const { access, publish } = this.#options;
    const report = JSON.stringify(access.report);
    if (report === this.#published || !publish(appTopics.linkAccess, report)) return;
    this.#published = report;
    this.#underWay = [...this.#underWay.slice(1 - MAX_UNDER_WAY), report];
  }
}

const MAX_BYTES = 16;
/** A broker may not let hub-link read the topic. */
const MAX_UNDER_WAY = 16;
