import { hostname } from "node:os";
import { historyReader } from "../adapters/node/http/history-reader.ts";
import { voyageTrack } from "../adapters/node/http/voyage-track.ts";
import { machineUrn } from "../adapters/node/machine-id.ts";
import { lineDatagrams } from "../adapters/node/streams/line-datagrams.ts";
import { type ListenAddress, lineServer } from "../adapters/node/streams/line-server.ts";
import { streamServer } from "../adapters/node/streams/stream-server.ts";
import { systemClock } from "../adapters/node/system-clock.ts";
import { type Destination, Nmea0183Outlet, ownMark } from "../services/link/nmea0183-outlet.ts";
import type { Outlet } from "../services/link/outlet.ts";
import { type Held, SignalKOutlet } from "../services/link/signalk-outlet.ts";
import type { Access } from "../services/link/signalk-v2/access.ts";
import type { Publish } from "./hub-link-access.ts";
import type { HubLinkSettings } from "./hub-link-options.ts";
import { orTaken } from "./program/listening.ts";
import type { Run } from "./program/program.ts";
import { version } from "./program/version.ts";

interface Parts extends Pick<Run, "log" | "limitedLog" | "opened"> {
  readonly publish?: Publish;
  readonly access?: Access | undefined;
  readonly held?: Held | undefined;
}

/** Opens the outlets of the settings. Throws a StartupError if one cannot listen. */
export async function openOutlets(settings: HubLinkSettings, parts: Parts): Promise<readonly Outlet[]> {
  const { nmea0183, nmea0183Udp, signalK } = settings;
  const outlets: Outlet[] = [];
  if (nmea0183 !== undefined || nmea0183Udp.length > 0) outlets.push(await openNmea0183(settings, parts));
  if (signalK !== undefined) outlets.push(await openSignalK(signalK, settings, parts));
  return outlets;
}

async function openNmea0183(settings: HubLinkSettings, { log, limitedLog, opened }: Parts): Promise<Outlet> {
  const { nmea0183, nmea0183Udp, mmsi } = settings;
  // First what may fail, so that nothing is left open then.
  const server =
    nmea0183 && (await orTaken("nmea0183", nmea0183, lineServer({ ...nmea0183, log: limitedLog, greeting: ownMark })));
  const destinations: Destination[] = [];
  for (const { host, port, ...selection } of nmea0183Udp) {
    destinations.push({ sink: await lineDatagrams({ host, port, log: limitedLog }), ...selection });
    log.info("sending NMEA 0183 by UDP", {
      host,
      port,
      ...(selection.sentences && { sentences: [...selection.sentences] }),
      ...(selection.range !== undefined && { range: selection.range }),
    });
  }
  if (server !== undefined) {
    destinations.push({ sink: server });
    log.info("serving NMEA 0183 over TCP", { ...nmea0183 });
  }
  return opened.add(new Nmea0183Outlet(destinations, systemClock, mmsi === undefined ? undefined : Number(mmsi)));
}

/** Opens the outlet and its server, which is closed first. */
async function openSignalK(
  address: ListenAddress,
  { prefix, mmsi, history, voyages }: HubLinkSettings,
  { log, limitedLog, opened, publish, access, held }: Parts,
): Promise<Outlet> {
  const self = mmsi === undefined ? machineUrn() : `urn:mrn:imo:mmsi:${mmsi}`;
  const [engine, track] = [historyReader(history), voyageTrack(voyages)];
  const outlet = new SignalKOutlet({
    ...{ self, prefix, version, clock: systemClock, log: limitedLog, engine, track, hostname },
    ...{ publish, access, held },
  });
  opened.add(outlet);
  const opening = streamServer({
    ...address,
    log: limitedLog,
    fetch: (request, bindings) => outlet.app.fetch(request, bindings),
    open: (request, client) => outlet.open(request, client),
  });
  opened.add(await orTaken("signalk", address, opening));
  log.info("serving Signal K", { ...address });
  return outlet;
}
