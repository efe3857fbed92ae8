#!/usr/bin/env -S node --optimize-for-size --max-semi-space-size=2 --v8-pool-size=1 --no-sparkplug
/**
 * hub-link: serves the topics of hub-cand to chart plotters and apps.
 *
 * Flags of the first line: an old generation that is collected early, because clients that come and go leave garbage
 * there (peak 75 MB in place of 98), a young generation of 2 MB a half in place of 16, in which every message begins,
 * one helper thread, and no code of V8's baseline compiler, which would keep 1 to 3 MB.
 *
 * Exit codes: 0 help, version, clean stop; 1 a bad option or value (of a service 64), a file that cannot be read, a folder that
 * is in use, a port that is taken. It continues without a broker, and without hub-cand.
 */
// Imported first, because it installs the signal handlers.
import "./program/stop.ts";
import { lockFolder } from "../adapters/node/files/folder-lock.ts";
import type { MqttSubscriber } from "../adapters/node/mqtt/subscriber.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { appTopics } from "../core/topics/topics.ts";
import { Link } from "../services/link/link.ts";
import { CourseTopics } from "../services/link/signalk-v2/course-topics.ts";
import { openAccess, type Publish } from "./hub-link-access.ts";
import { openHeld } from "./hub-link-held.ts";
import { type HubLinkSettings, hubLinkCommand } from "./hub-link-options.ts";
import { openOutlets } from "./hub-link-parts.ts";
import { openSubscriber } from "./program/broker-subscriber.ts";
import { started } from "./program/errors.ts";
import { endWith, type Run, runProgram } from "./program/program.ts";
import { announceReady, whileTimersRun } from "./program/service-manager.ts";
import { stop } from "./program/stop.ts";

async function run(settings: HubLinkSettings, { log, limitedLog, opened }: Run): Promise<void> {
  /** Set once the outlets are open. */
  let broker: MqttSubscriber | undefined;
  const publish: Publish = (topic, payload, options) => broker?.publish(topic, payload, options) ?? false;
  if (settings.state !== undefined) opened.add(await started(lockFolder(settings.state, "hub-link --state")));
  const access = await openAccess(settings, { log, limitedLog, opened, publish });
  const held = await openHeld(settings, log);
  const outlets = await openOutlets(settings, { log, limitedLog, opened, publish, access: access?.access, held });
  const { prefix } = settings;
  const link = new Link({ prefix, outlets, course: held?.course, clock: systemClock, log: limitedLog });
  const retain = (topic: string, payload: string): boolean => publish(topic, payload, { retain: true });
  const course = held && new CourseTopics({ course: held.course.course, publish: retain });
  /** Topics of hub-link itself. */
  const own = [access?.topics, course].filter((topics) => topics !== undefined);
  const hearer = {
    filters: [...link.filters, ...own.flatMap(({ filters }) => filters)],
    expected: link.expected,
    ownTopic: course && appTopics.linkCourse,
    hear(...message: Parameters<Link["hear"]>): void {
      if (!own.some((topics) => topics.hear(...message))) link.hear(...message);
    },
    connected: () => void own.map((topics) => topics.connected()),
  };
  broker = opened.add(await openSubscriber("hub-link", settings, hearer, log));
  opened.add(await announceReady(whileTimersRun, log));
  await stop.asked;
}

endWith(runProgram("hub-link", hubLinkCommand(process.argv.slice(2)), run));
