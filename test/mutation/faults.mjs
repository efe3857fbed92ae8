/**
 * Faults that the tests have to notice, as data: those that Stryker cannot make (C++, packages, tables, names that
 * change places), and a few whose name is a rule of safety. In a file the first text, which is there once, becomes the
 * second, and at least one of the tests must fail, of those whose name fits the pattern where there is one.
 */

const among = (...files) => ({ files });

const addon = { files: ["test/native/native.test.ts"], pattern: /'plain'/ };
const containers = { files: ["test/native/sanitizers.test.ts"], pattern: /containers stands up to its inputs/ };
const debianFolder = among("test/scripts/debian.test.ts");
const sandboxes = among("test/packaging/sandbox.test.ts");
const security = among("test/security/service.test.ts", "test/security/proxy.test.ts");
const powerLoss = among("test/crash");
const store = among("test/adapters/node/stores.test.ts", "test/adapters/node/files/deploy-backup.test.ts");
const projects = among("test/api/projects.test.ts", "test/api/service.test.ts");
const releases = among("test/adapters/node/http/signed-release.test.ts");
const configFetch = among("test/daemons/hub-config-fetch.test.ts");
const tables = among("test/n2k/fixtures.test.ts", "test/n2k/pgns.test.ts", "test/n2k/canboat.test.ts");
const codes = among("test/n2k/canboat.test.ts", "test/n2k/assumed.test.ts", "test/n2k/fixtures.test.ts");
/** Tests in Chromium: every readout, needle and target. */
/** Both lights: by night the units are others. */
const shown = { isPage: true, files: ["test/display/truth.test.ts"], pattern: /by (day|night) every/ };
/** Without a browser: what a fleet knows of its boats. */
const hulls = { files: ["test/display/fleet.test.ts"], pattern: /^(?!in Chromium)/ };
const displayPages = (pattern) => ({ isPage: true, files: ["test/display/display.test.ts"], pattern });
const boatPage = { isPage: true, files: ["test/display/boat-page.test.ts"], pattern: /what is typed while a form/ };
const lowScreens = { isPage: true, files: ["test/display/low-screens.test.ts"], pattern: /^low screens/ };
const fleetPages = { isPage: true, files: ["test/display/fleet.test.ts"], pattern: /^in Chromium/ };
const ownShip = among("test/bridge/reports.test.ts");
const sentences = among("test/nmea0183/sentences.test.ts");
const aisMessages = among("test/nmea0183/ais.test.ts", "test/nmea0183/decoders.test.ts");
const signalK = { files: ["test/signalk/boat.test.ts", "test/signalk/si.test.ts"], pattern: /^(?!.*specification)/ };
const links = among("test/link/link.test.ts", "test/link/nmea0183-outlet.test.ts");

const homeAssistant = among("test/bridge/home-assistant/home-assistant.test.ts");
/** Tests in Chromium: the second boat. */
const secondBoat = { isPage: true, files: ["test/display/truth.test.ts"], pattern: /a second boat/ };
const settingsOfBridge = among("test/bridge/settings-by-effect.test.ts");
/** Modules of a page, without a browser. */
const pageModule = (name) => among(`test/display/modules/${name}.test.ts`);
/** Tests that start a program, which is bundled anew. */
const started = (program, name, pattern) => ({ program, files: [`test/daemons/${name}.test.ts`], pattern });

const hazards = (...names) => among(...names.map((name) => `test/bridge/hazards/${name}.test.ts`));

/**
 * @param {string} file
 * @param {{files: readonly string[], pattern?: RegExp, program?: string, isPage?: boolean}} tests `program`: that of
 * `src/daemons` which they start; `isPage`: they open the built display
 * @param {Record<string, readonly [from: string, to: string]>} changes by the name of the fault
 */
const inFile = (file, tests, changes) =>
  Object.entries(changes).map(([name, [from, to]]) => ({ name, file, from, to, tests }));

const findingsTopic = among("test/bridge/findings-topic.test.ts");

export const faults = [
  // The findings.
  ...inFile("src/findings/watches.ts", among("test/findings/planted-faults.test.ts"), {
    "silence counts as stillness": ["now - stream.last > silenceOf(stream)", "false"],
  }),
  ...inFile("src/findings/device.ts", among("test/findings/instruments.test.ts"), {
    "talkers of NMEA 0183 are judged as devices of a bus": ["product.nmeaVersion === undefined &&", "false &&"],
  }),
  ...inFile("src/recording/wall-time.ts", among("test/recording/yacht-devices.test.ts"), {
    "a recording begins after its file was written": [
      "(latest / MILLISECONDS_OF_DAY)",
      "(this.#modified / MILLISECONDS_OF_DAY)",
    ],
  }),
  ...inFile("src/findings/recording.ts", among("test/findings/recording.test.ts"), {
    "dates of a file are told as those of the recorder": ['times === "undated" && {', "false && {"],
  }),
  ...inFile("src/bridge/findings-topic.ts", findingsTopic, {
    "each baseline of a flood is read": ["this.#readAt + COMMAND_MS)", "this.#readAt)"],
    "what is no baseline stays at the broker": ["    this.#isOverwritten = true;\n", ""],
  }),
  ...inFile("src/bridge/alarm-topic.ts", findingsTopic, {
    "a command to an alarm is as long as a baseline": ["text !== undefined && fits(text) ? text : undefined", "text"],
  }),
  // The addon.
  ...inFile("native/candump_log.cc", addon, {
    "a line end within a name": ["while (*at > ' ' &&", "while (*at != ' ' &&"],
    "a line is read that may not be there whole": ["end - line >= static_cast<ptrdiff_t>(kLongestLine)", "line < end"],
  }),
  ...inFile("native/fast_packet.cc", addon, {
    "a fast packet takes its frames in any order": [
      "  if (index == slot.next) {\n    const unsigned before",
      "  if (index >= slot.next) {\n    const unsigned before",
    ],
    "a new beginning goes on with the old packet": [
      "      discard(old, Discard::kFastRestarted);\n    }",
      "      return FrameResult::kConsumed;\n    }",
    ],
    "two devices share their packets": [
      "uint64_t{frame.pgn} << 16 | unsigned{frame.source} << 8 | frame.destination;",
      "uint64_t{frame.pgn} << 16 | frame.destination;",
    ],
    "a silent packet waits for ever": ["    discard(oldest, Discard::kFastTimeout);", "    break;"],
    "no packet is ever stale": ["if ((slot.others_begun | 1u << other) == 0xff)", "if (false)"],
  }),
  ...inFile("native/wasm/reassembler.cc", among("test/adapters/wasm/reassembler.test.ts"), {
    "fast packets are single frames in WebAssembly": ["  hub::reassembler->set_fast_packet_table(hub::table);\n", ""],
  }),
  ...inFile("native/counters.h", addon, {
    "the evicted packet's frames are forgotten": [
      "    accounting.discarded += open + more;",
      "    accounting.discarded += more;",
    ],
  }),
  ...inFile("native/iso_tp.cc", addon, {
    "an ISO message's last packet is not counted when it is a short one": [
      "packets != (size + kDataBytes - 1) / kDataBytes",
      "packets != size / kDataBytes",
    ],
    "a clear to send of a third device counts": [
      "if (number == kNone || sessions_[number].pgn != pgn || sessions_[number].is_to_all) return;",
      "if (number == kNone || pgn == 0 || sessions_[number].is_to_all) return;",
    ],
    "a clear to send counts the packets before it as held": [
      "  session.next = static_cast<uint16_t>(std::min<unsigned>(session.next, from));",
      "  for (; session.next < from; session.next++) session.missing -= !session.held[session.next];",
    ],
    "a packet that comes twice fills two gaps": [
      "  session.missing -= !session.held[sequence];",
      "  session.missing--;",
    ],
  }),
  ...inFile("native/bus_clock.h", addon, {
    "a pause of the whole bus counts in full": [
      "return now_us_ + std::min(pause_us, kLongestPauseUs);",
      "return now_us_ + pause_us;",
    ],
    "a pause in which frames are missing counts as one of the bus": [
      "if (has_missed_frames_ || pause_us >= kOutageUs)",
      "if (pause_us >= kOutageUs)",
    ],
  }),
  ...inFile("native/packet_ring.h", addon, {
    "a record of the ring overwrites the head of the oldest": [
      "return tail_ >= record_bytes ? 0 : kNoPlace;",
      "return tail_ + 8 >= record_bytes ? 0 : kNoPlace;",
    ],
    "the ring gives a place that is not free": [
      "return tail_ - head_ >= record_bytes ? head_ : kNoPlace;",
      "return head_;",
    ],
  }),
  ...inFile("native/key_table.h", containers, {
    "the key table leaves gaps": ["      entries_[gap] = entries_[at];\n      gap = at;", ""],
  }),
  ...inFile("native/interface_status.cc", addon, {
    "an attribute may be longer than its answer": [
      "head.nla_len < sizeof head || head.nla_len > bytes.length",
      "head.nla_len < sizeof head",
    ],
  }),

  // Packages.
  ...inFile("scripts/debian.mjs", debianFolder, {
    "packages do not say where the project is": ['fields.join("")', '""'],
    "every entry of the changelog has the revision": ['changelog.replace(")"', 'changelog.replaceAll(")"'],
    "the source package is one archive": ['if (revision !== "") ', "if (false) "],
  }),
  ...inFile("packaging/nginx/hub-mqtt.conf", security, {
    "the proxy gives WebSockets to pages of other sites": ["    return 403;\n", "    set $hub_mqtt_page none;\n"],
  }),
  ...inFile("packaging/nginx/hub-signalk.conf", among("test/packaging/nginx.test.ts"), {
    "the proxy ends a quiet stream": ["proxy_read_timeout 90s;", "proxy_read_timeout 20s;"],
  }),
  ...inFile("packaging/nginx/hub-config-api.conf", security, {
    "the proxy does not tell what the boat was called": ["  proxy_set_header X-Forwarded-Host $http_host;\n", ""],
  }),
  ...inFile("packaging/systemd/hub-config.service", sandboxes, {
    "hub-config without LockPersonality": ["LockPersonality=yes\n", ""],
  }),
  ...inFile("packaging/systemd/hub-config-perms.service", sandboxes, {
    "hub-config-perms without ProtectClock": ["ProtectClock=yes\n", ""],
  }),
  ...inFile("packaging/systemd/hub-cand@.service", sandboxes, {
    "hub-cand@ without ProcSubset": ["ProcSubset=pid\n", ""],
  }),

  // Durability, links, passwords, pages, releases of a fleet.
  ...inFile("src/project/password.ts", projects, {
    "a password entry without a hash protects nothing": [
      'hash !== "" ? { hash } : "locked";',
      'hash !== "" ? { hash } : undefined;',
    ],
  }),
  ...inFile("src/adapters/node/files/durable-files.ts", powerLoss, {
    "a file is renamed into its place without a sync": [
      "await files.write(file, chunk);\n    await files.sync(file);",
      "await files.write(file, chunk);",
    ],
    "a new name is told before its folder is synced": [
      "    throw error;\n  }\n  await syncFolder(files, folder);",
      "    throw error;\n  }",
    ],
    "a folder that was made is not synced": [
      "  await syncFolder(files, dirname(path));\n}\n\n/** Names of the regular files",
      "}\n\n/** Names of the regular files",
    ],
  }),
  ...inFile("src/api/projects.ts", among("test/api/projects.test.ts"), {
    "a deployed file that cannot be read keeps all others off": [
      "    if (error instanceof SystemError) return false;\n",
      "",
    ],
    "a broken project is gone before its replacement is written": [
      "services.projects.keepAside(id)",
      "services.projects.setAside(id)",
    ],
  }),
  ...inFile("src/api/stored-project.ts", among("test/api/projects.test.ts"), {
    "a protected project opens while descriptors are short": [" || passing.includes(error.code)) throw", ") throw"],
    "a file that cannot be read cannot be deleted": ["    if (name === undefined) throw error;", "    throw error;"],
  }),
  ...inFile("src/adapters/node/files/durable-files.ts", store, {
    "content that has gone is written a second time": [
      "  replaceFile(files, path, bytes, { open: openInFolder });",
      `  replaceFile(files, path, bytes, { open: openInFolder }).catch((error) => {
        if (failedWith(error, "ENOENT")) return replaceFile(files, path, bytes);
        throw error;
      });`,
    ],
  }),
  ...inFile("src/adapters/node/files/project-store.ts", store, {
    "a broken file of another user cannot be replaced": ['if (!failedWith(error, "EPERM")) throw', "throw"],
  }),
  ...inFile("src/adapters/node/files/regular-file.ts", store, {
    "links are followed out of the folder": [
      "if (!(follow ? statSync : lstatSync)(path).isFile()) return undefined;",
      "follow = true;",
    ],
  }),
  ...inFile("src/api/sections/device.ts", among("test/api/round-trip.test.ts"), {
    "a device without parameters, said by null, is refused": [
      "parameters: z.array(anyEntry).nullish()",
      "parameters: z.array(anyEntry).optional()",
    ],
  }),
  ...inFile("src/api/sections/commissioning.ts", among("test/api/round-trip.test.ts"), {
    "null stays in place of the rules of a group": [
      'own(entry, "rules") ?? []',
      'own(entry, "rules") === undefined ? [] : own(entry, "rules")!',
    ],
  }),
  ...inFile("src/api/sections/media.ts", among("test/api/round-trip.test.ts"), {
    "a content type of null is refused": ["contentType: z.string().nullish()", "contentType: z.string().optional()"],
  }),
  ...inFile("src/api/sections/media.ts", security, {
    "uploaded pages may run": ['"Content-Security-Policy": "sandbox"', '"Content-Security-Policy": "default-src *"'],
  }),
  ...inFile("src/adapters/node/http/server.ts", among("test/adapters/node/http/server.test.ts"), {
    "an upload of more than five minutes is cut": ["    requestTimeout: 0,\n", ""],
    "a client that is silent within its body holds its connection for ever": [
      "if (bytes !== undefined && bytes === before) socket.destroy();\n    else ",
      "",
    ],
    "a request that is worked on for long loses its client": [
      "bytes !== undefined && bytes === before",
      "bytes === before",
    ],
  }),
  ...inFile("src/adapters/node/http/signed-release.ts", releases, {
    "every signature of a release fits": [
      "if (!keys.some((key) => verify(null, signed, key, signature)))",
      "if (keys.length === 0)",
    ],
  }),
  ...inFile("src/adapters/node/http/download.ts", configFetch, {
    "the fleet's server is not verified": ["rejectUnauthorized: true", "rejectUnauthorized: false"],
  }),

  // Tables of PGNs, which only an outside reading can refute.
  ...inFile("src/n2k/pgns/steering.ts", tables, {
    "a heading is signed": [
      "  headingDeg:   angle(u16),\n  deviationDeg",
      "  headingDeg:   angle(s16),\n  deviationDeg",
    ],
    "the rate of turn has another resolution": ["per: 32e6", "per: 31e6"],
    "a reserved gap is a bit shorter": [
      "  rudderDirection:     code(u3, DirectionRudder),",
      "  rudderDirection:     code(u2, DirectionRudder),",
    ],
  }),
  ...inFile("src/n2k/pgns/gnss.ts", tables, {
    "altitude in tenths of what it is": [
      "altitude:            decimal(s64, { per: 1e6,",
      "altitude:            decimal(s64, { per: 1e7,",
    ],
    "speed over ground in other units": [
      'sogMs:        decimal(u16, { per: 100, unit: "m/s" })',
      'sogMs:        decimal(u16, { per: 10, unit: "m/s" })',
    ],
    "latitude and longitude change places": [
      "  latitude:  latitude(s32),\n  longitude: longitude(s32),\n}, { publicTitle",
      "  longitude: longitude(s32),\n  latitude:  latitude(s32),\n}, { publicTitle",
    ],
  }),
  ...inFile("src/n2k/lookups.ts", codes, {
    "passengers and cargo change ships": [
      '...hazards(60, "Passenger ship"), ...hazards(70, "Cargo ship")',
      '...hazards(70, "Passenger ship"), ...hazards(60, "Cargo ship")',
    ],
  }),
  ...inFile("src/n2k/pgns/assumed.ts", codes, {
    "a tripped breaker is closed": ['["Open", "Closed", "Tripped"]', '["Open", "Tripped", "Closed"]'],
    "a bypass is normal": ['["Normal", "Bypassed"]', '["Bypassed", "Normal"]'],
  }),

  // Values that the crew sees.
  ...inFile("src/display/units.ts", shown, {
    "metres a second are taken for knots": [
      '"m/s": { name: "Metres a second", from: times(1852 / 3600) }',
      '"m/s": { name: "Metres a second", from: times(3600 / 1852) }',
    ],
    "feet are metres": ['ft: { name: "Feet", from: times(1 / 0.3048) }', 'ft: { name: "Feet", from: same }'],
    "south is north": ['(degrees < 0 ? "S" : "N")', '(degrees < 0 ? "N" : "S")'],
    "hectopascals are kilopascals": [
      'hPa: { name: "Hectopascals", from: times(0.01)',
      'hPa: { name: "Hectopascals", from: times(0.001)',
    ],
  }),
  ...inFile("src/display/instruments.ts", shown, {
    "the speed over ground has the unit of the wind": [
      'name: "Speed over ground",\n    format: inUnit("speed")',
      'name: "Speed over ground",\n    format: inUnit("wind")',
    ],
    "the apparent angle is the true one": [
      'apparentAngle: ofReport("apparentAngle"',
      'apparentAngle: ofReport("trueAngle"',
    ],
  }),
  ...inFile("src/display/parts/rose.tsx", shown, {
    "the needle of the true wind shows the apparent": [
      'const wind = useUnwrapped(read("trueAngle"));',
      'const wind = useUnwrapped(read("apparentAngle"));',
    ],
  }),
  ...inFile("src/display/ships/list.tsx", shown, {
    "a ship's range stands where its CPA belongs": [
      "isNearing && cpa !== undefined ? hundredths(cpa)",
      "isNearing && cpa !== undefined ? hundredths(range!)",
    ],
  }),
  ...inFile("src/display/ships/plot.tsx", shown, {
    "ships are mirrored": [
      "pointOnDial(target.bearing + turn, target.range * scale)",
      "pointOnDial(-target.bearing + turn, target.range * scale)",
    ],
  }),
  ...inFile("src/display/fleet/hulls.ts", hulls, {
    "the list reads the messages of another bus": [
      "topics.navigation.name({ prefix }), navigationNews",
      'topics.navigation.name({ prefix: "can/can1" }), navigationNews',
    ],
  }),
  ...inFile("src/display/alarms/alarms.ts", fleetPages, {
    "alarms are answered ashore": ["canCommand = hull === undefined", 'canCommand = hull !== ""'],
  }),
  ...inFile("src/display/main.tsx", fleetPages, {
    "the trends of all boats of a fleet are one": [
      "record(lastMade(), topicRoot + prefix)",
      "record(lastMade(), prefix)",
    ],
  }),

  // Values for other instruments and apps.
  ...inFile("src/nav/own-ship.ts", ownShip, {
    "own ship goes where it points": [
      "roundedIfKnown(course?.cog, formats.cog)",
      "roundedIfKnown(course?.headingTrue, formats.cog)",
    ],
    "own ship goes as fast as through the water": [
      "roundedIfKnown(course?.sog,",
      "roundedIfKnown(course?.speedThroughWater,",
    ],
  }),
  ...inFile("src/nmea0183/navigation-sentences.ts", sentences, {
    "an estimated position has status A": ['"ADPRF".includes(letter)', '"ADPRFE".includes(letter)'],
  }),
  ...inFile("src/nmea0183/call-sentences.ts", sentences, {
    "a vessel in distress is in the other hemisphere": ["! < 0 ? 2 : 0)", "! < 0 ? 0 : 2)"],
  }),
  ...inFile("src/nmea0183/pgn-sentences.ts", sentences, {
    "RMB says to steer the other way": ['letters: ["L", "R"], limit: 9.99', 'letters: ["R", "L"], limit: 9.99'],
  }),
  ...inFile("src/display/data/store.ts", pageModule("systems"), {
    "a system that is gone stays on the page that is open": ["&& ageOf(stamp, now) <= oldest)", ")"],
  }),
  ...inFile("src/display/systems/energy.ts", pageModule("systems"), {
    "power of an hour ago gives the scale": [".filter(({ isOld }) => !isOld)", ".filter(() => true)"],
  }),
  ...inFile("src/display/boat/maintenance.tsx", pageModule("boat-maintenance"), {
    "an engine that is off has no hours": [
      "messagesOf(engineParametersDynamic, ANY_AGE)",
      "messagesOf(engineParametersDynamic)",
    ],
  }),
  ...inFile("src/nav/routes.ts", among("test/nav/routes.test.ts"), {
    "waypoints beside an unheard part are neighbours": ["if (end !== undefined && end < start) list.push({});", ""],
    "two routes are one": ["if (route?.id !== id) {", "if (route === undefined) {"],
  }),
  ...inFile("src/signalk/boat.ts", signalK, {
    "the last message of a route has all its waypoints": ["pgn === routeWaypointInformation.pgn ?", "false ?"],
  }),
  ...inFile("src/nmea0183/encoder.ts", sentences, {
    "the names of a route are those of its last message": ["pgn === 129285 ?", "false ?"],
    "the rest of a call's position waits": ['"mmsiInDistress", "latitude", "longitude"]', '"mmsiInDistress"]'],
    "what was heard of a hub-cand that is offline is kept": [
      "    this.#kept.clear();\n    this.#streams.clear();",
      "    this.#streams.clear();",
    ],
  }),
  ...inFile("src/nmea0183/ais-messages.ts", aisMessages, {
    "latitudes of AIS in thousandths of minutes": [
      "{ times: 600_000, min: -90 * 600_000,",
      "{ times: 60_000, min: -90 * 600_000,",
    ],
  }),
  ...inFile("src/bridge/twin.ts", among("test/bridge/networks.test.ts"), {
    "a device behind a bridge is published twice": ["sender.address !== source && ", "false && "],
    "another network never takes over": ["arrived - sender.at <= REPEATED_WITHIN_MS", "true"],
  }),
  ...inFile("src/bridge/bridge.ts", among("test/bridge/networks.test.ts"), {
    "the clock of a further network is the boat's": [
      "if (network === 0) this.advance(",
      "if (network < 9) this.advance(",
    ],
  }),
  ...inFile("src/bridge/node/bus-node.ts", among("test/bridge/node/bus-node.test.ts"), {
    "the node asks the bus for devices of other networks": ["networkOf(address) === 0 && ", ""],
  }),
  ...inFile("src/n2k/encode.ts", among("test/sensors/sensors.test.ts"), {
    "an engine with a meter of hours has no faults": ["return payload.subarray(0, statedBytes);", "return payload;"],
  }),
  ...inFile("src/gateway/actisense.ts", among("test/gateway/sessions.test.ts"), {
    "an NGT-1 that has lost power stays on its list": ["command === STARTUP_STATUS", "false"],
  }),
  ...inFile("src/adapters/node/mqtt/sensor-source.ts", among("test/adapters/node/mqtt/sensor-source.test.ts"), {
    "a tank whose row is renamed is silent": ["      this.#ask(this.#venus.anew());\n", ""],
  }),
  ...inFile("src/bridge/interface-report.ts", among("test/bridge/interface-report.test.ts"), {
    "the bus of an engine is to have the bit rate of NMEA 2000": [" || isJ1939Network(name)) return;", ") return;"],
  }),
  ...inFile("src/nmea0183/input/memory.ts", among("test/nmea0183/input/sentences.test.ts"), {
    "a fix after midnight is of yesterday": ["before - seconds > HALF_A_DAY_SEC", "before < seconds - 86_400"],
  }),
  ...inFile("src/nmea0183/input/listener.ts", among("test/nmea0183/input/connection.test.ts"), {
    "a sender with checksums mutes the others": ["this.#checking.has(sender)))", "this.#checking.size > 0))"],
  }),
  ...inFile("src/adapters/node/gateways/source.ts", among("test/adapters/node/gateways/source.test.ts"), {
    "frames of two connections make a packet": ["    this.#source.interrupted();\n", ""],
  }),
  ...inFile("src/ports/packet-batch.ts", among("test/bridge/networks.test.ts"), {
    "devices of two networks have one address": ["packet.source = firstAddress + (", "packet.source = ("],
  }),
  ...inFile("src/n2k/j1939/diagnostics.ts", among("test/n2k/fixtures.test.ts"), {
    "the high bits of the parameter of a trouble code are its low ones": [
      'joined(["_spnLow", "_spnHigh"])',
      'joined(["_spnHigh", "_spnLow"])',
    ],
  }),
  ...inFile("src/j1939/roles.ts", among("test/j1939/translator.test.ts"), {
    "the second engine of a bus is the first": [
      '[1, { kind: "engine", number: 1 }]',
      '[1, { kind: "engine", number: 0 }]',
    ],
  }),
  ...inFile("src/j1939/faults.ts", among("test/j1939/translator.test.ts"), {
    "a broken wire of a sensor is low oil pressure": [" && side.has(fmi)", ""],
    "the code of an older layout is believed": ["conversionMethod === 0 && ", ""],
  }),
  ...inFile("src/j1939/translator.ts", among("test/j1939/translator.test.ts"), {
    "what an engine said once is said for ever": ["value === undefined || until < now", "value === undefined"],
    "the fault of an engine does not end": ["!device.toldAt.has(to) && ", ""],
    "a message of NMEA 2000 is read on a bus of J1939": [
      "if (definition === undefined || source",
      "if (definition === undefined) tell(source, pgn, bytes.subarray(at, end));\n    if (definition === undefined || source",
    ],
  }),
  ...inFile("src/adapters/node/can/j1939-source.ts", among("test/adapters/node/can/j1939-source.test.ts"), {
    "a message of J1939 is counted twice": [
      "monitor.count?.(packet.transport",
      "monitor.count?.(0, 8); monitor.count?.(packet.transport",
    ],
  }),
  ...inFile("src/nmea0183/input/sentences.ts", among("test/nmea0183/input/sentences.test.ts"), {
    "a position that is not valid is believed": ['fields.is(1, "A") && isValidMode(fields, 11)', "true"],
    "the side to steer to changes": ['fields.signed(at, ["L", "R"], 10_000)', 'fields.signed(at, ["R", "L"], 10_000)'],
  }),
  ...inFile("src/nmea0183/input/calls.ts", among("test/nmea0183/input"), {
    "an expansion joins a call of long ago": ["EXPANDED_WITHIN_SEC = 30", "EXPANDED_WITHIN_SEC = 3000"],
    "an expansion joins the call of another": ["vessel !== undefined && call.stations.includes(vessel)", "true"],
    "south is north in a call": [">= 2 ? -1 : 1", ">= 2 ? 1 : 1"],
    "a relay has the nature of its telecommand": ["(isTelecommand ? undefined : symbol", "(false ? undefined : symbol"],
  }),
  ...inFile("src/nmea0183/input/line.ts", among("test/nmea0183/input/connection.test.ts"), {
    "a wrong checksum is believed": ["checksumOf(body) === Number.parseInt(digits!, 16)", "digits !== undefined"],
  }),
  ...inFile("src/nmea0183/input/listener.ts", among("test/nmea0183/input/connection.test.ts"), {
    "hub hears itself": ["(seconds < (this.#ownUntil.get(sender) ?? seconds) && isOwn(fields))", "false"],
  }),
  ...inFile("src/recording/formats/nmea0183.ts", among("test/recording/nmea0183.test.ts"), {
    "times in sentences count beside those of tag blocks": ["this.#hasTags ? line.sentAt", "false ? line.sentAt"],
    "a late receiver sets the clock back": ["if (!isLate) this.#at = at", "this.#at = at"],
    "sentences before the first time are lost": ["!this.#hear(each, writer)", "false"],
  }),
  ...inFile("src/signalk/si.ts", signalK, {
    "zero degrees Celsius are 273 kelvins": ["offset: 273.15", "offset: 273"],
  }),
  ...inFile("src/signalk/pgn-paths.ts", signalK, {
    "engine 0 is the one to starboard": [
      'engineInstance: { 0: "port", 1: "starboard" }',
      'engineInstance: { 0: "starboard", 1: "port" }',
    ],
  }),
  ...inFile("src/signalk/navigation-paths.ts", signalK, {
    "the last part of a second is the next second": ["fraction.toFixed(4).slice(1, 5)", "fraction.toFixed(3).slice(1)"],
    "a position without a fix is told": ["hasFix && latitude !== undefined", "latitude !== undefined"],
    "depth below the keel adds the keel": [
      "(depth === undefined ? undefined : depth + offset)",
      "(depth === undefined ? undefined : depth - offset)",
    ],
  }),
  ...inFile("src/alarms/kinds-report.ts", homeAssistant, {
    "an alarm has no answer as soon as it is raised": [
      "alarms.some(({ unanswered }) => unanswered)",
      'alarms.some(({ state }) => state === "active")',
    ],
  }),
  ...inFile("src/bridge/home-assistant/entities.ts", homeAssistant, {
    "a code without a text is a state that Home Assistant was not told": ["[...texts, OTHER_CODE]", "texts"],
  }),
  ...inFile("src/signalk/notification-paths.ts", signalK, {
    "an alarm that was silenced makes a sound": [
      'alarm.state === "active" ? ["visual", "sound"] : ["visual"]',
      '["visual", "sound"]',
    ],
  }),
  ...inFile("src/signalk/boat.ts", signalK, {
    "an alarm that has ended stays": ["if (!active.has(path))", "if (false)"],
  }),
  ...inFile("src/link/command-outlet.ts", among("test/link/command-outlet.test.ts"), {
    "each goodbye puts off the loss of the watch": [
      "this.#lostAt = Math.min(this.#lostAt, this.#clock.monotonic());",
      "this.#lostAt = this.#clock.monotonic();",
    ],
    "the command runs for alarms that were answered": ["({ unanswered }) => unanswered", "() => true"],
    "a lost watch is not told by the command": ["if (isLost) return", "if (false) return"],
  }),
  ...inFile("src/n2k/thing.ts", among("test/n2k/thing.test.ts"), {
    "an alternator has the name of a battery": ['when: { dcType: "Battery" }', "when: {}"],
  }),
  ...inFile("src/n2k/plausible.ts", among("test/n2k/plausible.test.ts"), {
    "a tank of no litres is empty": ["capacityLiters === 0", "false"],
  }),
  // Sensors by MQTT.
  ...inFile(
    "src/display/data/connection.ts",
    { isPage: true, files: ["test/display/sensors.test.ts"] },
    {
      "the form of sensors listens when it is closed": ["return () => void own.end(true);", "return () => {};"],
    },
  ),
  ...inFile("src/sensors/venus.ts", among("test/sensors/venus.test.ts"), {
    "a value of Venus that does not change ends": [
      "...values.map((topic)",
      "...values.slice(values.length).map((topic)",
    ],
  }),
  ...inFile("src/display/data/heard-topics.ts", among("test/display/sensors.test.ts"), {
    "topics that are heard fill the memory": ["this.#topics.size >= MAX_HEARD_TOPICS", "false"],
  }),
  ...inFile("src/sensors/reading.ts", among("test/sensors/reading.test.ts"), {
    "a retained value of any age is believed": ["return isRetained ?", "return false ?"],
    "the time in a payload does not count": ["if (age > periodSec * 1000)", "if (false)"],
    "a value that the message cannot have is sent": ["value >= lowest && value <= highest", "true"],
  }),
  ...inFile("src/sensors/sensors.ts", among("test/sensors/sensors.test.ts"), {
    "a silent sensor keeps its value": ["held !== undefined && held.until > now) values", "held !== undefined) values"],
    "two sensors take turns in one row": ["if (isOther || reading", "if (reading"],
  }),
  ...inFile("src/adapters/node/mqtt/sensor-source.ts", started("hub-cand", "hub-cand-sensors", /own topics|flood/), {
    "a value comes round": ["this.#left === 0 || isOwn(topic)", "this.#left === 0"],
    "a flood of sensors is read": ["this.#left === 0 || isOwn(topic)", "isOwn(topic)"],
  }),
  ...inFile("src/settings/names.ts", among("test/bridge/names.test.ts"), {
    "an alarm has the name of another battery of the same instance": ["names.size === 1 ?", "names.size > 0 ?"],
  }),
  ...inFile("src/signalk/sources.ts", among("test/signalk/names.test.ts"), {
    "names stay at an address that another device has": [
      "name === undefined ? undefined : this.#things.get(name)",
      "[...this.#things.values()][0]",
    ],
  }),
  ...inFile("src/link/link.ts", links, {
    "a hub-cand that is offline leaves its values": [
      "if (this.#isOffline) for (const each of [course, ...outlets]) each?.forget();",
      "",
    ],
  }),

  // A hazard each.
  ...inFile("src/alarms/hazards/persons.ts", among("test/bridge/distress.test.ts"), {
    "a call of distress that has just been heard is over": ['isOver(call) ? "within" : "beyond"', '"within"'],
  }),
  ...inFile("src/alarms/distress.ts", among("test/bridge/distress.test.ts"), {
    "a vessel in distress is a test of a beacon": ['isTest ? "beaconTest" : beacon', '!isTest ? "beaconTest" : beacon'],
    "a beacon under test is that of a person who called": [
      "if (activeKinds.some((active) => this.#calls.has(keyOf(active, subject)))) return;",
      "",
    ],
    "a beacon that is active is still under test": ["} else this.#endTest(subject);", "}"],
    "a distress call by radio is a routine one": ['format !== "Distress" &&', 'format === "Distress" ||'],
  }),
  ...inFile("src/alarms/distress.ts", among("test/bridge/kept-calls.test.ts"), {
    "a call of last year rings": ["if (silentFor >= (", "if (silentFor < 0 && silentFor >= ("],
    "a call of before the restart is silent already": ["wasAcknowledged ? 0 : silentFor;", "0;"],
    "each start makes a call younger": [" - silentBefore;", ";"],
    "a beacon that is heard again has a new first report": [
      "} else if (firstAt < call.firstAt)",
      "} else if (firstAt > wall)",
    ],
    "calls of the broker displace those that are heard": ["if (this.#calls.size >= MAX_CALLS) return false;", ""],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/bridge/kept-calls.test.ts"), {
    "a call that was acknowledged rings after a restart": ["reading.wasAcknowledged ?? false", "false"],
  }),
  ...inFile(
    "src/display/alarms/places.ts",
    { files: ["test/display/alarms/hazards.test.ts"], pattern: /receivers is/, isPage: true },
    {
      "the bar leads to a page that is not there": ['href: () => "#/sail"', 'href: () => "#/position"'],
    },
  ),
  ...inFile("src/bridge/kept-calls.ts", among("test/bridge/kept-calls.test.ts"), {
    "a call that has ended comes back": [
      "return isFirst && (known === undefined || this.#calls.has(id));",
      "return true;",
    ],
    "another client ends that a call is kept": ["    topic.command.noteOther();\n", ""],
  }),
  ...inFile("src/bridge/bridge.ts", started("hub-cand", "hub-cand-calls", /after hub-cand was killed/), {
    "a call of the broker is not heard": ["this.#alarms.command(`calls/", "this.#alarms.command(`call/"],
  }),
  ...inFile("src/adapters/node/mqtt/publisher.ts", among("test/adapters/node/mqtt/publisher.test.ts"), {
    "a state replaces that of the last start unread": [
      "    if (this.#wasOnline) {",
      "    if (this.#wasOnline || true) {",
    ],
    "a broker that was away undoes what changed": ["    if (this.#wasOnline) {", "    if (this.#wasOnline && false) {"],
  }),
  ...inFile("src/adapters/node/mqtt/publisher.ts", among("test/adapters/node/mqtt/publisher-expiry.test.ts"), {
    "what expires while a broker without MQTT 5 is away stays there": [
      "if (this.#unexpiring.has(topic)) {",
      "if (this.#version === 4) {",
    ],
    "what expired before a broker without MQTT 5 returned stays there": [
      "seconds <= 0) this.#forget(topic);",
      "seconds <= 0) this.#states.delete(topic);",
    ],
  }),
  ...inFile("src/bridge/lanes/lane-changes.ts", among("test/bridge/lanes/lanes.test.ts"), {
    "a part of a second is a change": ['path === "date.fraction" ||', "false ||"],
    "every time to go is the time of day": ["(pgn === localTimeOffset.pgn &&", "(true &&"],
  }),
  ...inFile(
    "src/adapters/node/files/deployed-settings.ts",
    among("test/adapters/node/files/deployed-settings.test.ts"),
    {
      "settings whose file is gone are defaults": ["if (isGone && !wasRead) {", "if (isGone) {"],
    },
  ),
  ...inFile("src/gateway/yacht-devices.ts", among("test/gateway/sessions.test.ts"), {
    "of two equal frames one comes back as another program's": [
      "    sent.push(line);",
      "    if (!sent.includes(line)) sent.push(line);",
    ],
    "frames that do not come back fill the memory": ["if (sent.length >= MAX_SENT) sent.shift();\n", ""],
  }),
  ...inFile("src/topics/topics.ts", among("test/topics/topics.test.ts"), {
    "an identity expires as other states": ["expireAfterSec: IDENTITY_EXPIRES_AFTER_SECONDS,", "expireAfterSec,"],
  }),
  ...inFile("src/bridge/rate-limited-log.ts", among("test/bridge/rate-limited-log.test.ts"), {
    "a line about an interface silences the others'": ["fields?.interface ?? fields?.name", "fields?.name"],
    "each NAME of a bus has its line": ["return written.size < MAX_SUBJECTS ? subject : undefined;", "return subject;"],
  }),
  ...inFile("src/alarms/bus-alerts.ts", hazards("bus"), {
    "an emergency alert is a warning": ['1: "emergency", 2: "alarm"', '1: "warning", 2: "alarm"'],
    "an alert does not end": ['message.state === "Normal" || ', ""],
    "the alerts of two systems are one": [", alertSystem, alertSubSystem, alertId]", ", alertSubSystem, alertId]"],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/alarms/monitor.test.ts"), {
    "a warning goes to every outlet": ['severity !== "warning" && now', "now"],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/bridge/hazards/ground.test.ts", "test/alarms/monitor.test.ts"), {
    "a sounder without a bottom in deep water rings": ["isSounding && (depth.last ?? 0) > DEEP_METRES", "false"],
  }),
  ...inFile("src/alarms/monitor.ts", hazards("collision"), {
    "a safety message of AIS is not shown": [
      "mmsi === undefined || !text?.trim()",
      "mmsi !== undefined || !text?.trim()",
    ],
  }),
  ...inFile("src/alarms/monitor.ts", hazards("bus"), {
    "an alert that is acknowledged here seems to be so at the device": [
      "isAnsweredElsewhere && alarm.isAcknowledged",
      "isAnsweredElsewhere && !alarm.isAcknowledged",
    ],
  }),
  ...inFile("src/alarms/notices.ts", hazards("bus", "external"), {
    "an alert of a device that has gone stays": ["source !== undefined && !isHeard(source)", "false"],
    "warnings leave no room for an emergency": ["rankOf(b) > rankOf(a) ? b : a", "rankOf(b) < rankOf(a) ? b : a"],
  }),
  ...inFile(
    "src/alarms/hazards/engine.ts",
    { files: ["test/docs/site.test.ts"], pattern: /every bit of engines/ },
    {
      "a low coolant level is a state": [
        '"Low Coolant Level": { severity: "alarm", atRest: "warning" }',
        '"Low Coolant Level": undefined',
      ],
    },
  ),
  ...inFile("src/alarms/alarm-text.ts", among("test/alarms/alarm-text.test.ts"), {
    "two hours are said as 7200 seconds": ["return durationText(value);", "return text(tenths(value));"],
  }),
  ...inFile("src/alarms/hazards/engine.ts", among("test/alarms/monitor.test.ts"), {
    "a hot engine is well": ["above(value, limit, 3)", "below(value, limit, 3)"],
    "the oil pressure of a standing engine rings": [
      "if (isAtRest(situation, subject, source)) return",
      "if (false) return",
    ],
  }),
  ...inFile("src/alarms/hazards/engine.ts", hazards("engine"), {
    "a hot transmission is a warning": [
      '"Over Temperature": { severity: "alarm" }',
      '"Over Temperature": { severity: "warning" }',
    ],
    "a lamp of the ignition rings": ['meaning === undefined || atRest === "lamp"', "meaning === undefined"],
    "a level that is low at rest is as urgent as under way": ["atRest ?? meaning.severity", "meaning.severity"],
    "an engine of unknown speed stands": ["?? RUNNING_RPM) <", "?? 0) <"],
    "all bits of a device that has none ring": ["bits === all ? undefined : bits", "bits"],
  }),
  ...inFile("src/alarms/hazards/hazard.ts", hazards("engine"), {
    "of several devices the least dangerous counts": ["return zonesApart < 0 ||", "return zonesApart > 0 ||"],
  }),
  ...inFile("src/alarms/hazards/hazard.ts", hazards("own-limits"), {
    "of several values beyond a limit the first counts": ["excess(other) > excess(one)", "false"],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/alarms/monitor.test.ts", "test/bridge/distress.test.ts"), {
    "an anchor alarm outlives its watch": ['this.#watches.get("anchor")!.tracks.clear();', ""],
    "a second call of the button is silent": [
      "if (this.#manOverboard === undefined) this.#watches",
      "if (false) this.#watches",
    ],
  }),
  ...inFile("src/alarms/distress.ts", among("test/bridge/distress.test.ts"), {
    "a second call of the button has the place of the first": [
      "?.heardAt === Number.NEGATIVE_INFINITY) this.#calls.delete(key);",
      "?.heardAt === 0) this.#calls.delete(key);",
    ],
  }),
  ...inFile("src/signalk/model.ts", among("test/signalk/session.test.ts"), {
    "a second device is left behind": [
      "for (const other of leaf.others?.values() ?? []) this.#buryOther(leaf, other, timestamp);\n",
      "",
    ],
    "a second device does not take the place of the first": ["if (next === undefined) return;", "return;"],
  }),
  ...inFile("src/signalk/history/values.ts", among("test/link/signalk-v2/history.test.ts"), {
    "averages follow the streams": ["const samples = inOrder(values);", "const samples = [...values];"],
  }),
  ...inFile("src/display/alarms/anchor-memory.ts", pageModule("alarm-memory"), {
    "a back-dated time waits for the next anchor": ["isSame(earlier, watch) ? earlier", "true ? earlier"],
  }),
  ...inFile("src/alarms/latest-messages.ts", among("test/alarms/latest-messages.test.ts"), {
    "a message without a value takes back the value before": ["if (arrived - at > MAX_AGE_MS) continue;", "continue;"],
    "a value that is left out counts from the message that left it out": [
      "carriedBefore?.get(name) ?? kept.arrived",
      "kept.arrived",
    ],
  }),
  ...inFile("src/alarms/latest-messages.ts", hazards("engine"), {
    "a report ends with the power of its device": ["MAX_REPORT_AGE_MS = 60_000", "MAX_REPORT_AGE_MS = 10_000"],
    "two devices with one instance are one": ["const key = placeOf(instance, source);", "const key = instance;"],
  }),
  ...inFile("src/bridge/peers.ts", among("test/bridge/peers.test.ts"), {
    "a newcomer has the product of the device whose address it claims": [
      "arrived - peer.namedAt <= DEFENCE_MS",
      "peer.name === undefined",
    ],
    "a NAME that loses its address loses its product": ["DEFENCE_MS = 1000", "DEFENCE_MS = 100_000"],
  }),
  ...inFile("src/nav/ais-targets.ts", hazards("collision"), {
    "a ship that has no status any more is moored for ever": [
      "if (hasStatus(message))",
      "if (navStatus !== undefined)",
    ],
  }),
  ...inFile("src/alarms/hazards/collision.ts", hazards("collision"), {
    "a ship that drifts ahead does not ring": ["others >= HARBOUR_SHIPS", "others >= 1"],
    "the ships of a harbour ring": ["others >= HARBOUR_SHIPS", "others > 999"],
    "base stations make a harbour of a ship that drifts": ["!isShip(other) || ", ""],
    "a ship without a course is no obstacle": ["if (ship.cog !== undefined && ship.sog !== undefined)", "if (true)"],
    "a ship at anchor without a course does not ring": ["isStill || (isUnderWay && isAnchoredShip(ship))", "isStill"],
    "a boat that lies still is in the way of her neighbour": [
      "isStill || (isUnderWay && isAnchored",
      "isStill || (isAnchored",
    ],
    "the guard zone is outside of itself": ["below(value!, limit, limit / 10)", "below(limit, value!, limit / 10)"],
    "a ship is lost by a clock that is set": ["now - ship.heardAt", "Date.now() - Date.parse(ship.lastSeen)"],
    "a ship that is lost is forgotten": [
      "range === undefined ? isTracked(subject) : range <= radius",
      "range !== undefined && range <= radius",
    ],
  }),
  ...inFile("src/alarms/depth-watch.ts", hazards("ground"), {
    "the depth below the keel is that above it": [
      'used === "transducer" ? 0 : offset',
      'used === "transducer" ? 0 : -offset',
    ],
    "an offset to the surface is taken for one to the keel": ["offset > 0 : offset < 0", "offset > 0 : offset !== 0"],
    "a swell is a slope": ["deviation > fall * MAX_DEVIATION", "false"],
  }),
  ...inFile("src/alarms/hazards/ground.ts", hazards("ground"), {
    "a depth that is lost in shallow water is well": ["depth.value === undefined && depth.wasLow", "false"],
  }),
  ...inFile("src/alarms/hazards/ground.ts", among("test/alarms/monitor.test.ts"), {
    "shallow water is deep": ['"beyond" : below(value, limit, 0.3)', '"beyond" : above(value, limit, 0.3)'],
    "the troughs of waves do not count": ["depth.isOftenLow ?", "false ?"],
    "a boat that drags is in its circle": ["zone: above(distance, limit,", "zone: above(limit, distance,"],
  }),
  ...inFile("src/alarms/hazards/position.ts", among("test/alarms/monitor.test.ts"), {
    "a position that is lost is well": [
      'hasFix === true ? "within" : "beyond"',
      'hasFix === true ? "within" : "within"',
    ],
  }),
  ...inFile("src/alarms/hazards/system.ts", among("test/alarms/monitor.test.ts"), {
    "a full disk has room": ["zone: below(value, limit, limit / 10)", "zone: below(limit, value, limit / 10)"],
  }),
  ...inFile("src/alarms/hazards/devices.ts", hazards("devices"), {
    "a new device that is gone again is forgotten": ["    isLatched: true,\n", ""],
  }),
  ...inFile("src/alarms/hazards/weather.ts", among("test/alarms/monitor.test.ts"), {
    "a gale is a calm": ["above(speed, limit, 3)", "above(limit, speed, 3)"],
  }),
  ...inFile("src/alarms/hazards/power.ts", among("test/alarms/monitor.test.ts"), {
    "an empty battery of 24 V has the limit of one of 12 V": ["settings.limit * times", "settings.limit"],
    "an empty battery is charged": ["zone: below(value, limit, 5)", "zone: above(value, limit, 5)"],
  }),
  ...inFile("src/alarms/plausible.ts", hazards("implausible"), {
    "values that cannot be ring": ["value != null && canBe(value, range)", "value != null"],
  }),
  ...inFile("src/nav/quantities.ts", among("test/nav/plausible.test.ts"), {
    "a value that cannot be wins the selection": [
      "canBe(value, range) ? 0 : SECOND_RATE",
      "canBe(value, range) ? 0 : 0",
    ],
  }),
  ...inFile("src/alarms/receiver-watch.ts", hazards("position"), {
    "a receiver that jumps is believed": ["known.jump = excess > 0", "known.jump = excess < 0"],
    "a fast boat jumps": ["Math.max(sog, before.sog) + EXTRA_KNOTS", "0"],
  }),
  ...inFile("src/alarms/hazards/position.ts", hazards("position"), {
    "two receivers never differ": ["if (value - limit <= most) continue;", "continue;"],
    "a poor receiver is as precise as a good one": ["hdop * METRES_PER_HDOP", "METRES_PER_HDOP"],
    "a clock that differs is right": ["if (ahead === undefined)", "if (ahead !== 0)"],
  }),
  ...inFile("src/alarms/hazards/system.ts", hazards("position", "ground"), {
    "a silent network is well": ['zone: isSilent ? "beyond" : "within"', 'zone: "within"'],
    "data that are lost are well": ['zone: isLost ? "beyond" : "within"', 'zone: "within"'],
  }),
  ...inFile("src/alarms/hazards/steering.ts", hazards("steering-power"), {
    "an autopilot off track is so quietly": ['["offTrackExceeded", "alarm", "off track"],', ""],
    "a boat off the leg is sent farther away": ['xte > 0 ? "steer to port"', 'xte < 0 ? "steer to port"'],
  }),
  ...inFile("src/alarms/wind-shift.ts", hazards("steering-power"), {
    "the wind shifts against itself": ["e2 * n1 - n2 * e1, n1 * n2 + e1 * e2", "e2 * n2 - n2 * e2, n1 * n2 + e1 * e2"],
  }),
  ...inFile("src/n2k/read-public.ts", hazards("steering-power"), {
    "a bank of switches is a generator": ['=== "public" ?', '!== "unknown" ?'],
  }),
  ...inFile("src/alarms/hazards/power.ts", hazards("steering-power"), {
    "a generator that does not start does": ['[18, "unable to start"],', ""],
    "a charger at fault is well": ['operatingState === "Fault"', 'operatingState === "Fail"'],
    "the shore's power is missed at sea": [
      "isQuiet: ({ isMoored }) => !isMoored",
      "isQuiet: ({ isMoored }) => isMoored",
    ],
  }),
  ...inFile("src/alarms/own-limits.ts", hazards("own-limits"), {
    "a limit of the crew's own is for another instance": [
      "!keys.includes(row.instance)",
      "keys.includes(row.instance)",
    ],
    "a value that is not heard any more stays": ["now - arrived > MAX_AGE_MS", "false"],
    "a limit of the crew's own is for every device": [
      "(device === undefined || nameOfDevice(source) === device)",
      "true",
    ],
    "a limit of the crew's own takes the value that is the least beyond": [
      "[readings.reduce(worse)]",
      "[readings.reduce((one, other) => (worse(one, other) === one ? other : one))]",
    ],
  }),
  ...inFile("src/alarms/commands.ts", hazards("external"), {
    "an alarm of a program has any id": ["externalId.test(id) ? externalState(id)", "true ? externalState(id)"],
  }),
  ...inFile("src/alarms/distress.ts", among("test/bridge/distress.test.ts"), {
    "two natures of distress are one call": [
      "nature !== undefined && other !== undefined && nature !== other",
      "false",
    ],
    "two vessels without an MMSI are one": [".range < APART_MILES", ".range < 9999"],
    "a vessel that drifts is another one": [".range < APART_MILES", ".range === 0"],
    "a relay takes back the nature of distress": [
      "if (report.subject !== undefined || natureIn(text) !== undefined || natureIn(call.text) === undefined)",
      "if (true)",
    ],
    "calls without an MMSI have the numbers of ships": ["number < LEAST_MMSI; number++", "number < 99; number++"],
    "an active beacon is under test": [
      "if (activeKinds.some((active) => this.#calls.has(keyOf(active, subject)))) return;",
      "",
    ],
    "a test goes on beside the call": ["} else this.#endTest(subject);", "}"],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/bridge/distress.test.ts"), {
    "a second press moves the person": [
      "{ ...position, at, ...this.#manOverboard }",
      "{ ...this.#manOverboard, ...position, at }",
    ],
    "a person falls overboard in the future": ["<= wall + CLOCK_TOLERANCE_MS", "<= Number.POSITIVE_INFINITY"],
  }),
  ...inFile("src/alarms/monitor.ts", hazards("ground"), {
    "a sounder without a bottom in deep water is lost": ["|| wasLow || isBottomless", "|| wasLow"],
    "a sounder that is silent in deep water is well": [
      "const isBottomless = isSounding && (",
      "const isBottomless = (",
    ],
  }),
  ...inFile("src/alarms/monitor.ts", hazards("own-limits"), {
    "an alarm outlives its row": ["    for (const id of tracks.keys()) if (!ids.has(id)) tracks.delete(id);\n", ""],
    "limits that are off are named as not watched": ["this.#settings.limits.enabled ?", "true ?"],
  }),
  ...inFile("src/alarms/own-limits.ts", hazards("own-limits"), {
    "a limit of one device is for all": ["(device === undefined || nameOfDevice(source) === device)", "true"],
    "a row that watches nothing is silent": ["(readings.some(({ key }) => key === id) ? [] : [id])", "[]"],
  }),
  ...inFile("src/alarms/latest-messages.ts", hazards("engine"), {
    "two devices of one instance are one": [
      "const key = placeOf(instance, source);",
      "const key = placeOf(instance, 0);",
    ],
  }),
  ...inFile("src/alarms/situation.ts", hazards("collision"), {
    "a ship ahead without a speed does not ring": ["(sog ?? 0) < WITHOUT_WAY_KNOTS", "(sog ?? 99) < WITHOUT_WAY_KNOTS"],
    "a buoy makes a harbour": ["isShip(ship) && (ship.range", "(ship.range"],
    "a ship whose crew forgot the status does not ring": ["=== status && (sog ?? 0) < STILL_KNOTS", "=== status"],
    "a receiver at the berth makes way": ["(sog ?? 0) < STILL_KNOTS", "(sog ?? 0) < WITHOUT_WAY_KNOTS"],
  }),
  ...inFile("src/alarms/notices.ts", hazards("external"), {
    "an alarm of a program does not expire": ["now >= until ||", ""],
  }),
  ...inFile("src/alarms/receiver-watch.ts", hazards("position"), {
    "a receiver that jumps does not": ["excess > 0 ?", "excess > 9999 ?"],
  }),

  // Wires, long lives and second times: what a part does after a minute, an overflow or a change.
  ...inFile("src/adapters/node/streams/stream-server.ts", among("test/adapters/node/streams/stream-server.test.ts"), {
    "a connection that was answered never gives way": [
      "      if (this.#all.has(socket)) this.#silent.set(socket, addressOf(socket));\n",
      "",
    ],
  }),
  ...inFile("src/adapters/node/streams/line-datagrams.ts", among("test/adapters/node/streams/line-datagrams.test.ts"), {
    "nothing may be sent to all": ["      socket.setBroadcast(true);\n", ""],
    "datagrams are cut on their way": ["MAX_DATAGRAM_BYTES = 1400", "MAX_DATAGRAM_BYTES = 14000"],
  }),
  ...inFile("src/adapters/node/kernel-sockets.ts", among("test/adapters/node/streams/line-server.test.ts"), {
    "clients of IPv6 are never slow": [
      '[...socketsOf("tcp", port), ...socketsOf("tcp6", port)]',
      '[...socketsOf("tcp", port)]',
    ],
  }),
  ...inFile("src/adapters/node/gateways/source.ts", among("test/adapters/node/gateways/source.test.ts"), {
    "frames go to a gateway that is not up": [
      "if (!this.#status.isUp || encode === undefined)",
      "if (encode === undefined)",
    ],
    "a further reason moves the moment of the loss": ["if (hasChanged) this.#since =", "this.#since ="],
  }),
  ...inFile("src/adapters/node/mqtt/broker-socket.ts", among("test/adapters/node/mqtt/subscriber.test.ts"), {
    "a broker that has gone without a word is not missed": ["keepalive: 30", "keepalive: 0"],
  }),
  ...inFile("src/adapters/node/streams/line-forwarder.ts", among("test/adapters/node/streams/line-forwarder.test.ts"), {
    "what is in memory at the end is lost": [
      "if (!(await this.#store())) buffer.drop(waiting);",
      "buffer.drop(waiting);",
    ],
    "points that are refused are not counted": ["    this.refused += linesIn(body);\n", ""],
  }),
  ...inFile("src/adapters/node/files/segment-queue.ts", among("test/crash/power-loss.test.ts"), {
    "lines are told to be on disk before they are": ["      await handle.datasync();\n", ""],
    "a file of the queue has no name after a power cut": [
      "      if (before === 0) await syncName(this.#options.folder);\n",
      "",
    ],
  }),
  ...inFile("src/util/local-hosts.ts", among("test/util/local-hosts.test.ts"), {
    "a port makes an address of a name": ["/^(?:\\[.*\\]|[\\d.]+)$/", "/^(?:.*:.*|[\\d.]+)$/"],
  }),
  ...inFile("src/link/signalk-outlet.ts", among("test/link/signalk-outlet.test.ts"), {
    "a client that has gone keeps its place": [
      "      closed: () => {\n        this.#allowances.takeBack(address);",
      "      closed: () => {",
    ],
    "what a client that has gone was to be sent is for the next one": [
      "    this.#cancelSending = undefined;\n    this.#changes.clear();",
      "    this.#cancelSending = undefined;",
    ],
    "a request gives its place back before it is answered": [
      "return await request.made.finally",
      "return request.made.finally",
    ],
    "pages of the Internet read the stream": [' || !mayRead(header("origin"), host, hostname())', ""],
  }),
  ...inFile("src/link/turns.ts", among("test/link/turns.test.ts"), {
    "a worker that has left goes on in its turn": ["      if (!this.#workers.has(worker)) continue;\n", ""],
  }),
  ...inFile("src/link/nmea0183-outlet.ts", among("test/link/nmea0183-outlet.test.ts"), {
    "another device waits for one that has gone": ["    this.#encoder.forget();\n", ""],
  }),
  ...inFile("src/link/link.ts", among("test/link/signalk-v2/course.test.ts"), {
    "a plotter's values stay beside a held course": ["for (const outlet of outlets) outlet.courseChanged?.();", ";"],
  }),
  ...inFile("src/link/course-messages.ts", among("test/link/signalk-v2/course.test.ts"), {
    "a plotter's course goes out beside the held one": [
      "this.course.isHeld && coursePgns.includes(heard.pgn)",
      "false",
    ],
    "a position counts at any age": ["> POSITION_AGE_MS ? undefined", "> Infinity ? undefined"],
  }),
  ...inFile("src/link/signalk-v2/gpx.ts", among("test/link/signalk-v2/gpx.test.ts"), {
    "the XML of GPX may be as deep as it likes": ["open.length >= MAX_DEPTH", "false"],
  }),
  ...inFile("src/link/signalk-v2/resources.ts", among("test/link/signalk-v2/resources.test.ts"), {
    "a kind has no limit": ["new Set(ids).size > MAX_RESOURCES", "0 > MAX_RESOURCES"],
    "a full disk leaves half of a file of GPX": ["all.slice(0, index)", "all.slice(0, 0)"],
  }),
  ...inFile("src/nav/leg.ts", among("test/nav/leg.test.ts"), {
    "the boat is on the other side of the track": [
      "Math.sin(distance) * Math.sin(angle)",
      "-Math.sin(distance) * Math.sin(angle)",
    ],
  }),
  ...inFile("src/link/link.ts", among("test/link/link.test.ts"), {
    "topics are kept without bound": ["&& this.#places.size < MAX_PLACES) ", ") "],
  }),
  ...inFile("src/daemons/hub-link-parts.ts", among("test/daemons/hub-link-parts.test.ts"), {
    "each refused client is a line of the log": [
      "lineServer({ ...nmea0183, log: limitedLog, greeting",
      "lineServer({ ...nmea0183, log, greeting",
    ],
  }),
  ...inFile("src/daemons/hub-link-parts.ts", among("test/daemons/hub-link-parts.test.ts"), {
    "an echo counts until hub's mark comes": [", greeting: ownMark", ""],
  }),
  ...inFile("src/daemons/hub-link-parts.ts", started("hub-link", "options-by-effect", /--mmsi/), {
    "own ship is a target on the plotter": ["systemClock, mmsi === undefined ?", "systemClock, mmsi !== undefined ?"],
  }),
  ...inFile("src/daemons/hub-history.ts", started("hub-history", "hub-history-losses"), {
    "points that are refused are not told": ["count: () => forwarder.refused,", "count: () => 0,"],
    "points that are dropped at the end are not told": ["count: () => buffer.dropped,", "count: () => 0,"],
  }),
  ...inFile("src/api/http/origin.ts", security, {
    "a type with a parameter that looks like JSON needs no preflight": [
      "/^application\\/json\\s*(;|$)/i",
      "/application\\/json\\s*(;|$)/i",
    ],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/alarms/monitor.test.ts"), {
    "an alarm is silenced once": [
      "          else alarm.silencedUntil = now + SILENCE_MS;",
      "          else if (alarm.silencedUntil === Number.NEGATIVE_INFINITY) alarm.silencedUntil = now + SILENCE_MS;",
    ],
    "an alarm without an answer ends at the berth": ["(isQuiet && alarm.isAcknowledged)", "isQuiet"],
    "an alternator is an empty battery": ['if (message.dcType === "Battery") this.#latest', "this.#latest"],
    "the report is ordered by time before kind": [
      "        alarmKinds.indexOf(a.kind) - alarmKinds.indexOf(b.kind) ||\n",
      "",
    ],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/bridge/alarm-topic.test.ts"), {
    "many alarms of one kind hide another": ["  places.sort((a, b) => a.place - b.place);\n", ""],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/alarms/settings-by-effect.test.ts"), {
    "the radius of the settings is not that of the watch": [
      "{ radius = this.#settings.anchor.radius,",
      "{ radius = 40,",
    ],
  }),
  ...inFile("src/alarms/situation.ts", among("test/alarms/monitor.test.ts"), {
    "a ship that passes makes a harbour": ["<= HARBOUR_MILES && isMooredShip(ship);", "<= HARBOUR_MILES;"],
  }),
  ...inFile("src/alarms/hazards/power.ts", among("test/alarms/monitor.test.ts"), {
    "a bank of 24 V has the margin of one of 12 V": ["below(value, limit, 0.3 * times)", "below(value, limit, 0.3)"],
  }),
  ...inFile("src/bridge/alarm-topic.ts", among("test/bridge/alarm-topic.test.ts"), {
    "after a restart the anchor is where the boat is": ["    this.#states[target]?.noteOther();\n", ""],
  }),
  ...inFile("src/bridge/lanes/lanes.ts", among("test/bridge/lanes/lanes.test.ts"), {
    "a fast lane waits for a slow one": [
      "else this.due = Math.min(this.due, slot.free);",
      "else this.due = slot.free;",
    ],
    "a lane that is taken away is published": ["    this.#waiting.clear();\n", ""],
  }),
  ...inFile("src/bridge/home-assistant/home-assistant.ts", homeAssistant, {
    "the version of a device has its blanks": [
      "sw_version: trimmed(product?.softwareVersion)",
      "sw_version: product?.softwareVersion",
    ],
    "navigation stays in the lane of before": [
      "    this.#lane = seconds;\n    this.#navigationPublished = 0;",
      "    this.#lane = seconds;",
    ],
    "entities of devices that have left fill the list": [
      "    this.#entities -= entities.size;\n",
      "    void entities;\n",
    ],
    "a model that comes later is not told": ["      published.product === next.product &&\n", ""],
  }),
  ...inFile("src/bridge/home-assistant/alarms.ts", homeAssistant, {
    "the buttons answer one kind": ['topics.alarmAnswer({ alarm: "all" })', 'topics.alarmAnswer({ alarm: "depth" })'],
  }),
  ...inFile("src/signalk/notification-paths.ts", signalK, {
    "a warning sounds like an alarm": ['warning: "warn"', 'warning: "alarm"'],
  }),
  ...inFile("src/signalk/sources.ts", signalK, {
    "a NAME stays at an address that it has left": ["    this.#names.clear();\n", ""],
  }),
  ...inFile("src/signalk/subscription.ts", among("test/signalk/session.test.ts"), {
    "all ships come ten times a second": [
      "this.context.hasWildcard ? MIN_PERIOD_OF_ALL_MS : MIN_PERIOD_MS",
      "MIN_PERIOD_MS",
    ],
  }),
  ...inFile("src/history/history.ts", among("test/history/history.test.ts"), {
    "a device that has left gives its NAME to another": [
      'this.#names = new Map(known.filter(([, name]) => name !== "0"));',
      'for (const [addr, name] of known) if (name !== "0") this.#names.set(addr, name);',
    ],
  }),
  ...inFile("src/display/instruments.ts", secondBoat, {
    "the crew is sent away from the leg": [
      'reading.value > 0 ? "left" : "right"',
      'reading.value > 0 ? "right" : "left"',
    ],
    "the variation is subtracted": ["reading.value + variation.value", "reading.value - variation.value"],
  }),
  ...inFile("src/display/instrument.ts", secondBoat, {
    "a slow turn has no side": [
      "sideOf(format.convert(reading.value, settings.value.units), format.isWholeTurn)",
      "sideOf(reading.value, format.isWholeTurn)",
    ],
  }),
  ...inFile("src/bridge/bridge.ts", settingsOfBridge, {
    "own ship stays a target, whatever the settings say": ["    this.#ais.setOwnMmsi(settings.ownMmsi);\n", ""],
    "Home Assistant keeps its lane": ["    this.#homeAssistant?.useLane(homeAssistant);\n", ""],
  }),
  ...inFile("src/bridge/lanes/lanes.ts", settingsOfBridge, {
    "messages of a lane expire early": ["Math.max(lane.expirySeconds, messageExpirySec)", "lane.expirySeconds"],
  }),
  ...inFile("src/nav/settings.ts", settingsOfBridge, {
    "a setting has no test": [
      "  variation: z\n    .enum(",
      '  current: z.enum(["bus"]).optional(),\n  variation: z\n    .enum(',
    ],
  }),
  ...inFile("src/display/instruments.ts", pageModule("trend-line"), {
    "the trend of the turn is per second": [
      "      convert: (value) => value * 60,\n",
      "      convert: (value) => value,\n",
    ],
  }),
  ...inFile("src/display/bus/interface-words.ts", pageModule("interface-words"), {
    "a connected gateway is none": ['up === true ? "Connected" : "Not connected"', '"Not connected"'],
    "an interface that is not there is a recording": ['up === true ? "a virtual', 'up !== undefined ? "a virtual'],
  }),
  ...inFile("src/display/app.tsx", lowScreens, {
    "a page begins where the one before was": ["main.current?.scrollTo(0, 0)", "undefined"],
  }),
  ...inFile("src/display/parts/origin.tsx", lowScreens, {
    "every age is told": ["!dead && isAgeTold(age) &&", "!dead &&"],
  }),
  ...inFile("src/display/data/store.ts", pageModule("store"), {
    "the devices of the boat before stay": ["  store.infos.clear();\n", ""],
    "a device that has left stays": [
      "if (message.payload.length === 0) store.infos.delete(address);",
      "if (message.payload.length === 0) return;",
    ],
  }),
  ...inFile("src/display/boat/sources.ts", pageModule("store"), {
    "a source has the oldest value of its device": ["age < known.age) found", "age > known.age) found"],
  }),
  ...inFile("src/display/alarms/alarm-sound.ts", pageModule("wake-lock"), {
    "a screen lock that was released is held": [
      "else if (lock === undefined || lock.released) lock",
      "else if (lock === undefined) lock",
    ],
    "a page that is shown again lets the screen go dark": [
      "    followContext();\n    void keepAwake();\n",
      "    followContext();\n",
    ],
  }),
  ...inFile("src/display/boat/actions.ts", pageModule("boat-state"), {
    "two actions at once": ["acting.then(() => act(action, sentence))", "act(action, sentence)"],
    "an action hides the failure of the one before it": [
      "    await action();\n    if (sentence",
      "    forget();\n    await action();\n    if (sentence",
    ],
    "of two actions without a password the last is done": [
      "[...questions.peek(), { project, again }]",
      "[{ project, again }]",
    ],
  }),
  ...inFile("src/display/pages/settings-view.tsx", displayPages(/refused in words/), {
    "what is typed in Setup is lost within a second": ["value={typed ?? value}", "value={value}"],
  }),
  ...inFile("src/display/service-worker.js", displayPages(/was replaced loads/), {
    "an update takes the files of the open page away": ["old.slice(0, -1)", "old"],
  }),
  ...inFile(
    "src/display/data/store.ts",
    { isPage: true, files: ["test/display/bus.test.ts"], pattern: /the report has findings/ },
    { "the report has devices that left long ago": ["peers === undefined ? known :", "peers !== undefined ? known :"] },
  ),
  ...inFile("src/display/boat/draft.ts", boatPage, {
    "what is typed while a form is saved is lost": ["merged(value, from, typed) as T", "value"],
  }),
  ...inFile("src/display/boat/state.ts", pageModule("boat-state"), {
    "a save goes into the project that is chosen after it": ["const id = shown ??", "const id = chosen.peek() ??"],
    "an undone deployment goes into the first of two copies": [
      "ids.find((id) => id === chosen.value) ?? ids[0]",
      "ids[0]",
    ],
    "a project that was not read whole stays so": ['    outline = "";\n    show(', "    show("],
    "a change is made again with the password for what is read after it": [
      "    await action();\n    await load();",
      "    await action();\n    await refresh();",
    ],
    "a project that is gone stays shown": ["status === api.NOT_FOUND", "status === 0"],
    "an empty project replaces one": ["each.id === id)) throw", "each.id === name)) throw"],
    "a configuration is deployed before its project has it": [
      "      await api.restoreProject(id, text);\n",
      "      void api.restoreProject(id, text);\n",
    ],
  }),
  ...inFile("src/alarms/wind-shift.ts", among("test/alarms/wind-shift.test.ts"), {
    "a wind after a pause has its shift at once": ["      this.#began = now;\n", ""],
  }),
  ...inFile("src/alarms/situation.ts", among("test/alarms/situation.test.ts"), {
    "a boat that has lost her receiver lies still for ever": [
      "throughWater - this.#current : undefined",
      "0 : undefined",
    ],
    "a current that passes the log is way": ["throughWater - this.#current :", "throughWater :"],
    "slow stretches add up to a boat that lies still": [
      "if (isSlow === this.#isStill) this.#oppositeSince = undefined;",
      "if (isSlow === this.#isStill) return isSlow;",
    ],
  }),
  ...inFile("src/alarms/receiver-watch.ts", hazards("position"), {
    "a fast boat that stops has jumped": ["(Math.max(sog, before.sog) + EXTRA_KNOTS)", "(sog + EXTRA_KNOTS)"],
  }),
  ...inFile("src/alarms/nominal-volts.ts", among("test/alarms/monitor.test.ts"), {
    "wrong voltages add up to another bank": ["? bank.higher + 1 : 0;", "? bank.higher + 1 : bank.higher;"],
  }),
  ...inFile("src/alarms/own-limits.ts", hazards("own-limits"), {
    "a row that was changed has the values of the one before": ["    this.#values.clear();\n", ""],
  }),
  ...inFile("src/bridge/home-assistant/entities.ts", homeAssistant, {
    "an alarm of the engine is the next one": ["2 ** bit} % 2", "2 ** (bit + 1)} % 2"],
  }),
  ...inFile("src/bridge/home-assistant/navigation.ts", homeAssistant, {
    "pascals are kilopascals": ['    unit: "Pa",', '    unit: "kPa",'],
  }),
  ...inFile("src/bridge/home-assistant/findings.ts", among("test/bridge/home-assistant/findings.test.ts"), {
    "the list of findings has no end": ["const MAX_ATTRIBUTES = 20;", "const MAX_ATTRIBUTES = 2000;"],
  }),
  ...inFile("src/display/data/connection.ts", pageModule("connection"), {
    "a page goes on hearing what the one before asked for": ["  if (gone.length > 0) client.unsubscribe(gone);\n", ""],
  }),
  ...inFile("src/display/ships/leg.tsx", pageModule("chart"), {
    "the leg lies on the other side of the boat": [": bearing + aside", ": bearing - aside"],
    "the leg is mirrored beyond its end": ["bearing + 180 - aside", "bearing + aside"],
  }),
  ...inFile("src/display/systems/endurance.ts", pageModule("systems"), {
    "a battery that is charged has hours to go": ["currentA > -LEAST_AMPERES", "currentA > 1000"],
  }),
  ...inFile("src/display/systems/energy.ts", pageModule("systems"), {
    "the sun takes energy": ["Math.abs(watts) : watts", "watts : watts"],
  }),
  ...inFile("src/display/sailing/tack-memory.ts", pageModule("tack-memory"), {
    "the tack of yesterday is shown": ["const LONGEST_MS = 6 *", "const LONGEST_MS = 600 *"],
    "a tack is as young as the other one": [
      "new Map([...tacks, ...sailed]",
      "new Map([...tacks, ...sailed].map(([leg, { angle }]) => [leg, { angle, at: now }] as const)",
    ],
  }),
  ...inFile("src/display/alarms/man-overboard.ts", pageModule("man-overboard"), {
    "a person fell where the boat was minutes ago": [
      "const MAX_POSITION_AGE = 120;",
      "const MAX_POSITION_AGE = 120_000;",
    ],
  }),
  ...inFile("src/display/trend/trend-memory.ts", pageModule("trend-memory"), {
    "the trends of before are those of now": ["const end = (now - age) / 1000;", "const end = now / 1000;"],
  }),
  ...inFile("src/display/trend/own-track.ts", among("test/display/trend/trend-points.test.ts"), {
    "the own track is stretched from east to west": [
      "east: across * 60 * Math.cos(radians(from.latitude))",
      "east: across * 60",
    ],
  }),
  ...inFile("src/display/systems/systems-view.tsx", secondBoat, {
    "both engines have the oil of one": [
      "ofEngine(row, messagesOf(engineParametersDynamic))",
      "messagesOf(engineParametersDynamic)[0]",
    ],
    "two batteries of one instance have one charge": [
      "ofBattery(row, messagesOf(dcDetailedStatus), batteryOf)",
      "messagesOf(dcDetailedStatus).find(({ data }) => data.instance === instance)",
    ],
  }),
  // Faults that a person chose who had not seen the tests, and that no test saw at first.
  ...inFile("src/nav/navigator.ts", among("test/nav/navigator.test.ts"), {
    "the time on the bus is read from a source that has lost it": [
      "this.#date = chosen.date && { value: chosen.date.value, arrived: chosen.date.arrived };",
      "this.#date = chosen.date;",
    ],
  }),
  ...inFile("src/link/nmea0183-outlet.ts", among("test/link/nmea0183-outlet.test.ts"), {
    "ranges are measured from where the boat was before hub-cand went away": ["this.#ranges?.forget();", ""],
    "hub's own mark comes late": ["return ownMark;", 'return from === undefined ? "" : ownMark;'],
  }),
  ...inFile("src/link/course-messages.ts", among("test/link/signalk-v2/course.test.ts"), {
    "a course begins at a position without a fix": [" || hasFix === false", ""],
    "a boat arrives within miles of its destination": ["metres <= arrivalCircle", "distance <= arrivalCircle"],
  }),
  ...inFile("src/link/signalk-v2/course.ts", among("test/link/signalk-v2/course.test.ts"), {
    "a route that is read anew begins at the boat": [
      "pointIndex === 0 ? previousPoint : pointOf",
      "pointIndex === 0 ? this.#boat() : pointOf",
    ],
  }),
  ...inFile("src/link/signalk-v2/access.ts", among("test/link/signalk-v2/writing.test.ts"), {
    "a token that is taken back counts until the disk has taken it": [
      "this.#tokens = this.#tokens.filter((each) => tokens.includes(each));",
      "",
    ],
  }),
  ...inFile("src/link/signalk-v2/access-topics.ts", among("test/link/signalk-v2/writing.test.ts"), {
    "a broker that comes back lists no apps": ['connected(): void {\n    this.#published = "";', "connected(): void {"],
  }),
  ...inFile("src/link/signalk-v2/resources.ts", among("test/link/signalk-v2/resources.test.ts"), {
    "a resource that is removed keeps its room": ["this.#totalLength -= kept.length;", ""],
  }),
  ...inFile("src/signalk/history/query.ts", among("test/link/signalk-v2/history.test.ts"), {
    "KIP has no history": ['name === "avg" ? "average" : name', "name"],
  }),
  ...inFile("src/alarms/monitor.ts", among("test/bridge/hazards/position.test.ts"), {
    "ships are watched by all devices of AIS or by none": [
      "[...aisSources].some(isHeard)",
      "[...aisSources].every(isHeard)",
    ],
  }),
  ...inFile("src/alarms/distress.ts", among("test/bridge/kept-calls.test.ts"), {
    "a call that is heard again stays as old as it was": ["call.silentBefore = 0;", ""],
  }),
  ...inFile("src/alarms/hazards/collision.ts", among("test/bridge/hazards/collision.test.ts"), {
    "a ship that has altered course rings on": ["cpa >= limit * 1.25 || tcpa", "cpa >= limit * 1.25 && tcpa"],
  }),
  ...inFile("src/alarms/own-limits.ts", among("test/bridge/hazards/own-limits.test.ts"), {
    "a limit below zero has no margin": ["below + Math.abs(below) * MARGIN", "below + below * MARGIN"],
  }),
  ...inFile("src/history/history.ts", among("test/history/history.test.ts"), {
    "a NAME that is not known is a device": ['known.filter(([, name]) => name !== "0")', "known"],
  }),
  ...inFile("src/bridge/home-assistant/home-assistant.ts", among("test/bridge/networks.test.ts"), {
    "a device on two networks has its entities on the second": [
      "Math.min(address, addresses.get(name) ?? address)",
      "address",
    ],
  }),
  ...inFile("src/bridge/home-assistant/alarms.ts", homeAssistant, {
    "an alarm without an answer is read where it is not": [
      "state_topic: topics.alarmKinds(),\n      value_template: \"{{ 'ON' if value_json.data.unanswered",
      "state_topic: topics.alarms(),\n      value_template: \"{{ 'ON' if value_json.data.unanswered",
    ],
  }),
  ...inFile("src/bridge/home-assistant/navigation.ts", homeAssistant, {
    "a report without a group is an error in Home Assistant": [
      "(value_json.data.$" + "{group} | default({})).",
      "value_json.data.$" + "{group}.",
    ],
  }),
  ...inFile("src/nmea0183/input/transducers.ts", among("test/nmea0183/input/sentences.test.ts"), {
    "litres are a level": ["  V: { P: 1 },", "  V: { P: 1, L: 1 },"],
  }),
  ...inFile("src/nmea0183/input/listener.ts", among("test/nmea0183/input/connection.test.ts"), {
    "one sender that returns hub's sentences silences the others": [
      "remember(this.#ownUntil, sender, seconds",
      'remember(this.#ownUntil, "", seconds',
    ],
  }),
  ...inFile("src/sensors/reading.ts", among("test/sensors/reading.test.ts"), {
    "a time that is none is now": ["stamp !== undefined && !hasNoValue(stamp)", "false"],
  }),
  ...inFile("src/display/alarms/man-overboard.ts", pageModule("man-overboard"), {
    "a question ends with the time of the one before": ["clearTimeout(forgetting);", ""],
  }),
  ...inFile("src/display/data/connection.ts", pageModule("connection"), {
    "a connection that was replaced is the boat's": [
      'if (client === own) connectionState.value = "lost";',
      'connectionState.value = "lost";',
    ],
  }),
  ...inFile("src/display/alarms/ringing.ts", pageModule("alarm-memory"), {
    "alarms that were silent with a loss stay so": [
      "silentUntil.value = new Map();",
      "silentUntil.value = new Map([...silentUntil.peek()].filter(([id]) => id !== LOSS));",
    ],
  }),
  ...inFile("src/display/alarms/anchor-memory.ts", pageModule("alarm-memory"), {
    "the next anchor fell when the last one did": ["  earlier = undefined;\n  freeAt =", "  freeAt ="],
  }),
  ...inFile("src/display/trend/boat-history.ts", pageModule("boat-history"), {
    "a query that is refused takes the history away": ["if (response.status === 400) return [];", ""],
  }),
  ...inFile(
    "src/display/turning.ts",
    { ...among("test/display/touch.test.ts"), isPage: true },
    {
      "two fingers turn the page": ["touch?.abort();", ""],
    },
  ),
  ...inFile(
    "src/display/ships/scope.ts",
    { ...among("test/display/touch.test.ts"), isPage: true },
    {
      "fingers that part show more of the sea": ["zoom(-steps)", "zoom(steps)"],
    },
  ),
  // What reading the source for faults has chosen, and no test caught.
  ...inFile("src/link/course-messages.ts", among("test/link/signalk-v2/course.test.ts"), {
    "a position that the broker has kept is the boat's": [
      'if (heard.topic !== "navigation" || heard.isRetained) return [heard];',
      'if (heard.topic !== "navigation") return [heard];',
    ],
  }),
  ...inFile("src/nmea0183/input/memory.ts", among("test/nmea0183/input/sentences.test.ts"), {
    "a talker that goes on without its better sentence has no value": [
      "best.rank < rank && this.#heard - best.heard <= FORGOTTEN_AFTER",
      "best.rank < rank",
    ],
  }),
  ...inFile("src/nmea0183/input/vdm-reader.ts", among("test/nmea0183/input/ais.test.ts"), {
    "parts of two channels are joined": ["fields.text(3)}`;", "0}`;"],
  }),
  ...inFile("src/signalk/model.ts", among("test/signalk/boat.test.ts"), {
    "a device that takes a path over is beside itself": [
      "leaf.others?.delete(source);\n    leaf.stream = stream;",
      "leaf.stream = stream;",
    ],
  }),
  ...inFile("src/alarms/monitor.ts", hazards("engine"), {
    "a silenced alarm that becomes worse stays silent": [
      "Object.assign(alarm, { isAcknowledged: false, silencedUntil: now })",
      "Object.assign(alarm, { isAcknowledged: false })",
    ],
  }),
  ...inFile("src/alarms/distress.ts", among("test/bridge/distress.test.ts"), {
    "a pressed button is over when a device falls silent": [
      "if (call.heardAt !== Number.POSITIVE_INFINITY) call.heardAt = heardAt;",
      "call.heardAt = heardAt;",
    ],
  }),
  ...inFile("src/display/alarms/alarm-sound.ts", pageModule("alarm-sound"), {
    "a new alarm makes an old one quiet": ["now - Math.min(...since)", "now - Math.max(...since)"],
  }),
  ...inFile("src/display/data/store.ts", pageModule("store"), {
    "the track of another boat stays": ["ownTrack.clear();\n  store.alarms", "store.alarms"],
  }),
  ...inFile("src/display/quantities.ts", among("test/display/values.test.ts"), {
    "values die between two samples": [
      "const longest = quantities[name].maxAgeSeconds + expireAfter + pause + delay;",
      "const longest = quantities[name].maxAgeSeconds + expireAfter + delay;",
    ],
  }),
  ...inFile("src/display/chart/gestures.ts", pageModule("gestures"), {
    "the plot jumps when one of two fingers is lifted": ["rest();\n      begin();", "rest();"],
  }),
  ...inFile("src/adapters/node/files/segment-queue.ts", among("test/adapters/node/files/segment-queue.test.ts"), {
    "half a line is sent": [
      "return { number, bytes: bytes.subarray(0, bytes.lastIndexOf(LINE_FEED) + 1) };",
      "return { number, bytes };",
    ],
  }),
  ...inFile("src/bridge/home-assistant/navigation.ts", homeAssistant, {
    "a sensor has states that its template never gives": [
      'payload_on: "True", payload_off: "False"',
      'payload_on: "true", payload_off: "false"',
    ],
  }),
  ...inFile("packaging/nginx/hub-display.conf", among("test/packaging/nginx.test.ts"), {
    "files without a hash are kept for a year": [
      '"[.-][0-9A-Za-z_]{8}\\.(bin|css|js|png|svg|wasm|woff2)$"',
      '"\\.(bin|css|js|png|svg|woff2)$"',
    ],
  }),
  ...inFile("scripts/changelog.mjs", debianFolder, {
    "a build sorts after its release": ["~${source", "+${source"],
  }),
  ...inFile("src/signalk/session.ts", among("test/signalk/session.test.ts"), {
    "a client gets what it does not want any more": [
      "      yield SUBSCRIPTION_WORK + this.#subscriptions.size;\n      this.#groups = undefined;\n",
      "      yield SUBSCRIPTION_WORK + this.#subscriptions.size;\n",
    ],
  }),
  ...inFile("src/nmea0183/input/sentences.ts", among("test/nmea0183/input/sentences.test.ts"), {
    "half hours west of Greenwich count the other way": [
      "-(hours * 60 + Math.abs(minutes) * (Math.sign(hours) || 1)) + 0;",
      "-(hours * 60 + minutes) + 0;",
    ],
  }),
  ...inFile("src/alarms/own-limits.ts", hazards("own-limits"), {
    "the good one of two devices hides the bad one": [
      'const place = [row.id, heard.source, ...keys].join(" ");',
      'const place = [row.id, ...keys].join(" ");',
    ],
  }),
  ...inFile("src/display/data/store.ts", pageModule("store"), {
    "a value that was struck out lives again on the next page": [
      "livedFor: isExpired(stamp, now) ? 0 : period.lifeSeconds(EXPIRE_AFTER_SECONDS),",
      "livedFor: period.lifeSeconds(EXPIRE_AFTER_SECONDS),",
    ],
  }),
  ...inFile("src/nmea0183/input/sentences.ts", among("test/nmea0183/input/sentences.test.ts"), {
    "a wind in kilometres an hour is one in knots": [
      "fields.number(6, { times: KMH, min: 0 });",
      "fields.number(6, { times: KNOT, min: 0 });",
    ],
  }),
  ...inFile("src/display/alarms/ringing.ts", pageModule("alarm-memory"), {
    "an alarm that is raised again after its answer is silent": ["  forgetConfirmed(now);\n", ""],
  }),
  ...inFile("src/display/alarms/man-overboard.ts", pageModule("man-overboard"), {
    "a press after a release is swallowed": ["reported.since !== released.since ||", "true ||"],
  }),
  ...inFile("src/link/signalk-outlet.ts", among("test/link/signalk-v2/course.test.ts"), {
    "the way to the destination stays when hub-cand is gone": [
      "isoTime(this.#options.clock.wall()));\n    this.#tellCourse();",
      "isoTime(this.#options.clock.wall()));",
    ],
  }),
  ...inFile("src/link/signalk-v2/course.ts", among("test/link/signalk-v2/course.test.ts"), {
    "a round trip begins anew": ["Math.abs(one - formerly) - Math.abs(other - formerly)", "one - other"],
  }),
  ...inFile("packaging/examples/boat.nginx", among("test/security/proxy.test.ts"), {
    "the parameter of a kiosk is lost": ["return 302 /display/$is_args$args;", "return 302 /display/;"],
  }),
  ...inFile("src/display/trend/trend-memory.ts", pageModule("trend-memory"), {
    "trends of a clock that went back are those of now": [" || !(age >= 0)) return;", ") return;"],
  }),
  ...inFile("src/display/settings.ts", pageModule("broker-url"), {
    "an address that is none ends the display": [".find(isBrokerUrl)", '.find((text) => text !== "")'],
  }),
  ...inFile("src/display/boat/pgns.ts", pageModule("boat-maintenance"), {
    "maintenance is done at the engine hours of another day": [", engineParametersDynamic.pgn]", "]"],
  }),
  ...inFile("src/display/boat/maintenance.tsx", pageModule("boat-maintenance"), {
    "a device that is gone has the engine hours": ["ageOf(one.stamp, now) - ageOf(other.stamp, now)", "0"],
  }),
  ...inFile("src/display/boat/sources.ts", pageModule("source-order"), {
    "a preferred device that is off is forgotten": ["...listed, ...heard]", "...heard]"],
  }),
  ...inFile("src/display/alarms/anchor-memory.ts", pageModule("alarm-memory"), {
    "an anchor that fell unseen fell just now": ["boatClock(now) - freeAt <= LONGEST_GAP_MS", "freeAt > 0"],
  }),
  ...inFile("src/display/chart/chart-list.ts", pageModule("chart-list"), {
    "a server that starts after the display has no charts": ["    setTimeout(ask, ASK_AGAIN_MS);\n", ""],
  }),
  ...inFile(
    "src/display/recordings/recordings-view.tsx",
    { isPage: true, files: ["test/display/recordings.test.ts"], pattern: /dropped while/ },
    {
      "a file that was dropped has what another one was read for": ["  worker?.terminate();\n", ""],
    },
  ),
  ...inFile("src/display/fleet/hulls.ts", hulls, {
    "an old speed is as young as the position": ["speedKnots: undefined, course: undefined", ""],
  }),
  ...inFile("src/adapters/node/http/fetch-failure.ts", configFetch, {
    "the reason of a fetch has no end": ["message.slice(0, MAX_MESSAGE_LENGTH)", "message"],
  }),
  ...inFile("src/link/signalk-outlet.ts", among("test/link/signalk-outlet.test.ts"), {
    "an alarm of last week sounds in an app": ["if (!heard.isLast) boat.hearAlarms", "boat.hearAlarms"],
  }),
  ...inFile("src/link/command-outlet.ts", among("test/link/command-outlet.test.ts"), {
    "an alarm of last week rings at a start": ["heard.isLast === true && this.#report === undefined", "false"],
  }),
  ...inFile("src/daemons/fetch-run.ts", configFetch, {
    "an old project that cannot be removed fails the run": [
      "      if (!(error instanceof FetchFailure)) throw error;\n      left.push(version);",
      "      throw error;",
    ],
  }),
  ...inFile(
    "src/daemons/hub-configd.ts",
    { files: ["test/daemons/hub-configd.test.ts"], pattern: /^help, version/ },
    {
      "a path through a file ends the start with a stack": [
        "  } catch {\n    return false;\n  }\n}\n\nfunction isWritable",
        "  } finally {\n  }\n}\n\nfunction isWritable",
      ],
    },
  ),
  ...inFile(
    "src/daemons/hub-configd.ts",
    { files: ["test/daemons/hub-configd.test.ts"], pattern: /folder of applications/ },
    {
      "a folder of applications that cannot be read keeps the service off": [
        'sweepBlobs(join(folder, "apps")).catch(logged)',
        'sweepBlobs(join(folder, "apps"))',
      ],
    },
  ),
  ...inFile("src/link/signalk-v2/access.ts", among("test/link/signalk-v2/writing.test.ts"), {
    "a token that is taken back hides until a restart": ["holders: this.#stored.map(", "holders: this.#tokens.map("],
  }),
  ...inFile("src/signalk/history/values.ts", among("test/link/signalk-v2/history.test.ts"), {
    "a boat that steers about north has been heading south": ["(isAngle ? angleAverages : averages)", "averages"],
  }),
  ...inFile("src/signalk/history/values.ts", among("test/link/signalk-v2/history.test.ts"), {
    "the newest values of a time are left out": [
      "from: to - (Math.floor((to - from) / step) - 1) * step, to, step",
      "from: Math.min(from + step, to), to: to - step, step",
    ],
  }),
  ...inFile("src/link/signalk-v2/access.ts", among("test/link/signalk-v2/writing.test.ts"), {
    "a clock that is set ends the requests for access": ["askedMs: clock.monotonic()", "askedMs: clock.wall()"],
  }),
  ...inFile("src/adapters/node/repeated-command.ts", among("test/adapters/node/repeated-command.test.ts"), {
    "what the command has started sounds on after its end": [
      '() => kill(group, "SIGKILL")',
      '() => this.#child && kill(group, "SIGKILL")',
    ],
  }),
  ...inFile("src/api/app.ts", among("test/api/service.test.ts"), {
    "HEAD leaves a file open": ['if (c.req.method === "HEAD") await c.res.body?.cancel();', ""],
  }),
  ...inFile("src/adapters/node/files/blob-store.ts", among("test/adapters/node/stores.test.ts"), {
    "of two removals at once the second fails": ['if (failedWith(error, "ENOENT")) return false;', ""],
  }),
  ...inFile(
    "src/display/pages/anchor.tsx",
    { isPage: true, files: ["test/display/alarms/anchor.test.ts"], pattern: /that was chosen/ },
    {
      "the place where the anchor fell is forgotten with the track": [
        "chosen={chosen ?? points.at(-1)!}",
        "chosen={points.find(({ at }) => at >= (chosen?.at ?? now)) ?? points.at(-1)!}",
      ],
    },
  ),
  ...inFile(
    "src/display/ships/scope.ts",
    { isPage: true, files: ["test/display/chart.test.ts"], pattern: /own ship stays/ },
    {
      "a boat that lost her place is in the middle of another one": [
        "place && pointOf(view, place)",
        "pointOf(view, place ?? view.center)",
      ],
    },
  ),
  ...inFile("src/display/companion.ts", pageModule("systems"), {
    "of two batteries of one instance one has the charge of the other": [
      "!taken.includes(other.address)",
      "taken.length > 0",
    ],
  }),
  ...inFile("src/display/systems/systems-view.tsx", secondBoat, {
    "of two batteries of one instance one has the charger of the other": [
      "ofBattery(row, messagesOf(chargerStatus), (data) => data.batteryInstance)",
      "messagesOf(chargerStatus).find(({ data }) => data.batteryInstance === instance)",
    ],
  }),
  ...inFile("src/display/parts/rose.tsx", shown, {
    "a magnetic current lies on the true card": ["readTrue(instruments.currentSet, now)", 'read("currentSet")'],
  }),
  ...inFile(
    "src/display/pages/anchor.tsx",
    { isPage: true, files: ["test/display/alarms/anchor.test.ts"], pattern: /neighbours are there/ },
    {
      "a ship that fell silent lies beside the anchor": ["isLost(target, boatClock(now))", "false"],
    },
  ),
  ...inFile("src/display/chart/gestures.ts", pageModule("gestures"), {
    "a mouse without a button moves the plot": ["if (buttons === 0) return up(event);", ""],
    "the button of the menu moves the plot": ["button !== 0 || fingers.size === 2", "fingers.size === 2"],
  }),
];
