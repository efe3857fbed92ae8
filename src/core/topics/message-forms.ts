/**
 * The forms of the messages that programs and pages read, reduced to the parts that hub publishes. The build of a page has
 * them as data in place of this file, so that it loads no schemas.
 */
import * as z from "zod";
import { alarmHistoryData, alarmsData } from "../alarms/report.ts";
import { findingsData } from "../findings/report.ts";
import { trafficData } from "../findings/traffic-report.ts";
import { aisReport } from "../nav/ais-report.ts";
import { courseReport } from "../nav/link-course.ts";
import { navigationData } from "../nav/navigation-report.ts";
import { fetchReport } from "../report/config-fetch.ts";
import type { Form } from "../report/form.ts";
import { identityMessage } from "../report/identity.ts";
import { interfaceStatus } from "../report/interface-status.ts";
import { accessReport } from "../report/link-access.ts";
import { formOf, type Readable } from "../report/read.ts";
import { devicesMessage, informationMessage, knownDevicesMessage } from "./device-reports.ts";
import { healthData } from "./health.ts";
import { layoutsData } from "./layouts.ts";

const { ignoredSettings } = healthData.shape;
const { position, speed_course, wind_apparent, wind_true } = navigationData.shape;

/** Members that may be missing here are optional. */
const schemas = {
  navigation: navigationData.extend({
    position: position.unwrap().partial().optional(),
    speed_course: speed_course.unwrap().partial().optional(),
    wind_apparent: wind_apparent.unwrap().partial().optional(),
    wind_true: wind_true.unwrap().partial().optional(),
  }),
  ais: aisReport.shape.data.partial({ ownShip: true }),
  alarms: alarmsData.partial({ watching: true }),
  alarmHistory: alarmHistoryData,
  devices: devicesMessage.shape.data,
  knownDevices: knownDevicesMessage.shape.data,
  infos: informationMessage.shape.data,
  findings: findingsData,
  traffic: trafficData,
  health: healthData
    .extend({ ignoredSettings: z.array(ignoredSettings.element.partial({ path: true, problem: true })) })
    .partial()
    .loose(),
  layouts: layoutsData,
  configFetch: fetchReport,
  interface: interfaceStatus.partial().loose(),
  identity: identityMessage.pick({ name: true, version: true, hostname: true, online: true }),
  access: accessReport,
  course: courseReport,
} as const;

export type ReadableData = { readonly [Name in keyof typeof schemas]: Readable<(typeof schemas)[Name]> };

export const forms = Object.fromEntries(
  Object.entries(schemas).map(([name, schema]) => [name, formOf(schema)]),
) as Readonly<Record<keyof ReadableData, Form>>;
