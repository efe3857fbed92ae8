/**
 * Faults that the tests have to notice, as data: those that Stryker cannot make (C++, packages, tables, names that
 * change places). In a file the first text, which is there once, becomes the
 * second, and at least one of the tests must fail, of those whose name fits the pattern where there is one.
 */

const among = (...files) => ({ files });

const addon = { files: ["test/native/native.slow.test.ts"], pattern: /'plain'/ };
const containers = { files: ["test/native/sanitizers.slow.test.ts"], pattern: /containers stands up to its inputs/ };
const debianFolder = among("test/scripts/debian.slow.test.ts");
const sandboxes = among("test/packaging/sandbox.test.ts");
const security = among("test/security/service.test.ts", "test/security/proxy.test.ts");
const tables = among("test/core/n2k/fixtures.test.ts", "test/core/n2k/pgns.test.ts", "test/core/n2k/canboat.test.ts");
const codes = among("test/core/n2k/canboat.test.ts", "test/core/n2k/assumed.test.ts", "test/core/n2k/fixtures.test.ts");

/**
 * @param {string} file
 * @param {{files: readonly string[], pattern?: RegExp, program?: string, isPage?: boolean}} tests `program`: that of
 * `src/daemons` which they start; `isPage`: they open the built display
 * @param {Record<string, readonly [from: string, to: string]>} changes by the name of the fault
 */
const inFile = (file, tests, changes) =>
  Object.entries(changes).map(([name, [from, to]]) => ({ name, file, from, to, tests }));

export const faults = [
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
  ...inFile("native/wasm/reassembler.cc", among("test/adapters/wasm/reassembler.slow.test.ts"), {
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
    "a pause of the whole bus counts in full": ["std::min(pause_us, kLongestPauseUs)", "pause_us"],
  }),
  ...inFile("native/reassembler.h", addon, {
    "a packet goes on over an interruption": ["void interrupt() { lost_ += kFewestLost; }", "void interrupt() {}"],
    "a packet goes on behind frames that the kernel lost": ["    lost_ += frames;\n", ""],
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
    "the proxy gives WebSockets to pages of other sites": [
      "    return 403;\n  }\n  proxy_pass",
      "    set $hub_mqtt_page none;\n  }\n  proxy_pass",
    ],
  }),
  ...inFile("packaging/nginx/hub-signalk.conf", among("test/packaging/nginx.test.ts"), {
    "the proxy ends a quiet stream": ["proxy_read_timeout 90s;", "proxy_read_timeout 20s;"],
  }),
  ...inFile("packaging/nginx/hub-config-api.conf", among("test/packaging/proxies.test.ts"), {
    "the proxy does not tell what the boat was called": ["  proxy_set_header X-Forwarded-Host $hub_config_host;\n", ""],
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

  // Tables of PGNs, which only an outside reading can refute.
  ...inFile("src/core/n2k/pgns/steering.ts", tables, {
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
  ...inFile("src/core/n2k/pgns/gnss.ts", tables, {
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
  ...inFile("src/core/n2k/lookups.ts", codes, {
    "passengers and cargo change ships": [
      '60: "Passenger ship", 70: "Cargo ship"',
      '70: "Passenger ship", 60: "Cargo ship"',
    ],
  }),
  ...inFile("src/core/n2k/pgns/assumed.ts", codes, {
    "a tripped breaker is closed": ['["Open", "Closed", "Tripped"]', '["Open", "Tripped", "Closed"]'],
    "a bypass is normal": ['["Normal", "Bypassed"]', '["Bypassed", "Normal"]'],
  }),

  // Values that the crew sees.

  // Values for other instruments and apps.
  ...inFile("src/core/n2k/encode.ts", among("test/core/sensors/sensors.test.ts"), {
    "an engine with a meter of hours has no faults": ["return payload.subarray(0, statedBytes);", "return payload;"],
  }),
  ...inFile("src/core/n2k/j1939/diagnostics.ts", among("test/core/n2k/fixtures.test.ts"), {
    "the high bits of the parameter of a trouble code are its low ones": [
      'joined(["_spnLow", "_spnHigh"])',
      'joined(["_spnHigh", "_spnLow"])',
    ],
  }),
  ...inFile("src/core/n2k/thing.ts", among("test/core/n2k/thing.test.ts"), {
    "an alternator has the name of a battery": ['when: { dcType: "Battery" }', "when: {}"],
  }),
  ...inFile("src/core/n2k/plausible.ts", among("test/core/n2k/plausible.test.ts"), {
    "a tank of no litres is empty": ["capacityLiters === 0", "false"],
  }),
  ...inFile("src/core/n2k/read-public.ts", among("test/services/bridge/hazards/steering-power.test.ts"), {
    "a bank of switches is a generator": ['=== "public" ?', '!== "unknown" ?'],
  }),

  // What reading the source for faults has chosen, and no test caught.
  ...inFile("packaging/nginx/hub-display.conf", among("test/packaging/nginx.test.ts"), {
    "files without a hash are kept for a year": [
      '"[.-][0-9A-Za-z_]{8}\\.(bin|css|js|png|svg|wasm|woff2)$"',
      '"\\.(bin|css|js|png|svg|woff2)$"',
    ],
  }),
  ...inFile("scripts/changelog.mjs", debianFolder, { "a build sorts after its release": ["~${source", "+${source"] }),
  ...inFile("packaging/examples/boat.nginx", among("test/security/proxy.test.ts"), {
    "the parameter of a kiosk is lost": ["return 302 /display/$is_args$args;", "return 302 /display/;"],
  }),
];
