/** Opens what hub-link holds for Signal K clients that may write: resources, and the course. */
import { randomUUID } from "node:crypto";
import { systemClock } from "../adapters/node/system-clock.ts";
import type { Log } from "../core/ports/log.ts";
import { CourseMessages, OwnMotion } from "../services/link/course-messages.ts";
import type { Held } from "../services/link/signalk-outlet.ts";
import { Course } from "../services/link/signalk-v2/course.ts";
import { Resources } from "../services/link/signalk-v2/resources.ts";
import type { HubLinkSettings } from "./hub-link-options.ts";
import { heldFiles } from "./resource-files.ts";

/** Undefined without a folder, or with one that cannot be read: the data of the boat is served nevertheless. */
export async function openHeld({ state }: Pick<HubLinkSettings, "state">, log: Log): Promise<Held | undefined> {
  if (state === undefined) return undefined;
  try {
    const { course, saveCourse, stored, files } = await heldFiles(state, log, systemClock.wall);
    /** The client gets 503; the boat has to know the reason. */
    const told = async (storing: Promise<void>): Promise<void> => {
      await storing.catch((error: Error) => {
        const code = "RESOURCES_NOT_STORED";
        log.error("a resource or the course cannot be stored", { code, reason: error.message });
        throw error;
      });
    };
    const resources = new Resources({
      stored,
      files: {
        save: (all) => told(files.save(all)),
        remove: (kind, id) => told(files.remove(kind, id)),
      },
      wall: systemClock.wall,
    });
    const own = new OwnMotion(systemClock.monotonic);
    const held = new Course({
      stored: course,
      resources,
      save: (info) => told(saveCourse(info)),
      position: () => own.position,
      wall: systemClock.wall,
    });
    return { resources, course: new CourseMessages(held, own), uuid: randomUUID };
  } catch (error) {
    const reason = (error as Error).message;
    log.error("resources and course cannot be read, so that there are none", { code: "RESOURCES_UNREADABLE", reason });
    return undefined;
  }
}
