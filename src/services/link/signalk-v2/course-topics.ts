/** The course on the broker: the destination that hub-link holds, and the command by which a display sets or ends it. */
import { type CourseReport, courseCommand, type Destination } from "../../../core/nav/link-course.ts";
import { appTopics } from "../../../core/topics/topics.ts";
import { jsonIn } from "../../../core/util/json-in.ts";
import type { Course } from "./course.ts";
import { Refused } from "./refused.ts";

interface CourseTopicsOptions {
  readonly course: Course;
  /** Publishes a retained message; false while the broker is away. */
  publish(topic: string, payload: string): boolean;
}

const MAX_BYTES = 200;

export class CourseTopics {
  readonly filters: readonly string[] = [appTopics.linkCourseSet];
  readonly #options: CourseTopicsOptions;
  #refused: string | undefined;

  constructor(options: CourseTopicsOptions) {
    this.#options = options;
    options.course.listen(() => this.connected());
  }

  /** Publishes the report, also after a connection, because the broker may have lost it. */
  connected(): void {
    const { course, publish } = this.#options;
    const { nextPoint } = course.info;
    const report: CourseReport = {
      ...(nextPoint !== null && {
        destination: {
          latitude: nextPoint.position.latitude,
          longitude: nextPoint.position.longitude,
          ...(nextPoint.name && { name: nextPoint.name }),
          ...(nextPoint.press && { press: nextPoint.press }),
        },
      }),
      ...(this.#refused !== undefined && { refused: this.#refused }),
    };
    publish(appTopics.linkCourse, JSON.stringify(report));
  }

  /** Takes a command; false for another topic. A retained one was for an earlier voyage. */
  hear(topic: string, payload: Uint8Array | undefined, isRetained: boolean): boolean {
    if (topic !== appTopics.linkCourseSet) return false;
    // An empty message removes a retained one.
    if (!isRetained && payload?.length !== 0) void this.#command(payload);
    return true;
  }

  async #command(payload: Uint8Array | undefined): Promise<void> {
    const { course } = this.#options;
    this.#refused = undefined;
    try {
      const command = commandIn(payload);
      if (command === null) await course.clear();
      else {
        const { latitude, longitude, ...more } = command;
        await course.setDestination({ position: { latitude, longitude } }, more);
      }
    } catch (error) {
      this.#refused = (error as Error).message;
    }
    this.connected();
  }
}

/** Throws an error whose message says what is wrong with a command. */
function commandIn(payload: Uint8Array | undefined): Destination | null {
  if (payload === undefined || payload.length > MAX_BYTES)
    throw new Refused(400, `The command is longer than ${MAX_BYTES} bytes.`);
  const { data, error } = courseCommand.safeParse(jsonIn(new TextDecoder().decode(payload)));
  if (data !== undefined) return data;
  const { path, message } = error!.issues[0]!;
  throw new Refused(400, `The command cannot be read: ${[...path, message].join(" ")}.`);
}
