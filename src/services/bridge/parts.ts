/**
 * The parts of the bridge: a row each, in the order in which they publish. Nothing else knows a part by its name.
 */
import { AisTopic } from "./ais-topic.ts";
import { AlarmTopic } from "./alarm-topic.ts";
import { CrewNames } from "./crew-names.ts";
import { DeviceMemory } from "./device-memory.ts";
import { Devices } from "./devices.ts";
import { FindingsTopic } from "./findings-topic.ts";
import { HealthReport } from "./health/health-report.ts";
import { HomeAssistant } from "./home-assistant/home-assistant.ts";
import { InterfaceReport } from "./interface-report.ts";
import { Lanes } from "./lanes/lanes.ts";
import { LayoutReport } from "./layout-report.ts";
import { NavigationTopic } from "./navigation-topic.ts";
import { BusNode } from "./node/bus-node.ts";
import type { BridgeOptions } from "./options.ts";
import type { PartRow } from "./part.ts";

export function partsOf(options: BridgeOptions): readonly PartRow[] {
  const { monitor, vitals, node, homeAssistant, lanes, findings = true, layouts = true } = options;
  const hasHomeAssistant = homeAssistant !== undefined;
  const rows: readonly (PartRow | false | undefined)[] = [
    { name: "interface", create: (boat) => new InterfaceReport(boat, monitor) },
    { name: "names", create: (boat) => new CrewNames(boat) },
    // Before the devices, which give a packet of a twin the address that the device has on another network.
    findings && { name: "findings", create: (boat) => new FindingsTopic(boat, vitals?.bus), isLasting: true },
    { name: "devices", create: (boat) => new Devices(boat) },
    { name: "deviceMemory", create: (boat) => new DeviceMemory(boat), isLasting: true },
    { name: "navigation", create: (boat) => new NavigationTopic(boat, options) },
    { name: "ais", create: (boat) => new AisTopic(boat) },
    { name: "alarms", create: (boat) => new AlarmTopic(boat, hasHomeAssistant), isLasting: true },
    layouts && { name: "layouts", create: (boat) => new LayoutReport(boat) },
    homeAssistant && {
      name: "homeAssistant",
      create: (boat) => new HomeAssistant(boat, homeAssistant, findings),
    },
    node && { name: "node", create: (boat) => new BusNode(boat, node), isLasting: true },
    vitals && { name: "health", create: (boat) => new HealthReport(boat, vitals) },
    // Lanes come last, because they repeat reports of the same moment.
    { name: "lanes", create: (boat) => new Lanes(boat, lanes, hasHomeAssistant) },
  ];
  return rows.filter((row) => row !== undefined && row !== false);
}
