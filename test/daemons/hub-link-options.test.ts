import { expect, test } from "vitest";
import { hubLinkCommand, hubLinkOptions } from "../../src/daemons/hub-link-options.ts";
import { helpText } from "../../src/daemons/program/options.ts";

const outletsOf = (...args: string[]) => {
  const command = hubLinkCommand(args);
  if (command.kind !== "run") throw new Error(JSON.stringify(command));
  const { nmea0183, nmea0183Udp, signalK } = command.settings;
  return { nmea0183, nmea0183Udp, signalK };
};

test("the help text fits a terminal", () => {
  for (const line of helpText(hubLinkOptions).split("\n")) expect(line.length, line).toBeLessThanOrEqual(130);
});

test("without an outlet NMEA 0183 and Signal K are served on the loopback address", () => {
  expect(hubLinkCommand([])).toEqual({
    kind: "run",
    settings: {
      prefix: "can/can0",
      broker: { secure: false, host: "127.0.0.1", port: 1883 },
      tls: {},
      history: "http://127.0.0.1:8428/",
      voyages: "http://127.0.0.1:12010/",
      nmea0183: { host: "127.0.0.1", port: 10110 },
      signalK: { host: "127.0.0.1", port: 3000 },
      nmea0183Udp: [],
      logLevel: "info",
    },
  });
});

test.each([
  [["--nmea0183", "2000"], { nmea0183: { host: "127.0.0.1", port: 2000 } }],
  [["-n", "0.0.0.0:2000"], { nmea0183: { host: "0.0.0.0", port: 2000 } }],
  [["--nmea0183=[::]:2000"], { nmea0183: { host: "::", port: 2000 } }],
  [["--nmea0183-udp", "192.168.4.255:10110"], { nmea0183Udp: [{ host: "192.168.4.255", port: 10110 }] }],
  [
    [
      "--nmea0183-udp",
      "plotter:1",
      "--nmea0183-udp=sharing.example:2345,VDM,VDO",
      "--nmea0183-udp",
      "pi:3,range=20,VDM",
    ],
    {
      nmea0183Udp: [
        { host: "plotter", port: 1 },
        { host: "sharing.example", port: 2345, sentences: new Set(["VDM", "VDO"]) },
        { host: "pi", port: 3, sentences: new Set(["VDM"]), range: 20 },
      ],
    },
  ],
  [["--signalk", "3001"], { signalK: { host: "127.0.0.1", port: 3001 } }],
  [["-s", "0.0.0.0:3000"], { signalK: { host: "0.0.0.0", port: 3000 } }],
  [
    ["--nmea0183-udp", "tablet:1", "-n1"],
    { nmea0183: { host: "127.0.0.1", port: 1 }, nmea0183Udp: [{ host: "tablet", port: 1 }] },
  ],
])("%j", (args, outlets) => {
  expect(outletsOf(...args)).toEqual({ nmea0183: undefined, nmea0183Udp: [], signalK: undefined, ...outlets });
});

test.each([
  [["--nmea0183", "0"], "--nmea0183 0: must be PORT or HOST:PORT"],
  [["--nmea0183", "65536"], "--nmea0183 65536: must be PORT or HOST:PORT"],
  [["--nmea0183", "a:b"], "--nmea0183 a:b: must be PORT or HOST:PORT"],
  [["--nmea0183", "::1:2000"], "--nmea0183 ::1:2000: must be PORT or HOST:PORT"],
  [["--nmea0183", "[::g]:2000"], "--nmea0183 [::g]:2000: must be PORT or HOST:PORT"],
  [["--nmea0183", "[1:2]:2000"], "--nmea0183 [1:2]:2000: must be PORT or HOST:PORT"],
  [["--nmea0183-udp", "999.1.1.1:10"], "--nmea0183-udp 999.1.1.1:10: must be HOST:PORT"],
  [["--nmea0183-udp", "10110"], "--nmea0183-udp 10110: must be HOST:PORT"],
  [["--nmea0183-udp", "a:1,ABC"], "--nmea0183-udp a:1,ABC: hub-link sends no sentence ABC"],
  [["--nmea0183-udp", "a:1,"], "--nmea0183-udp a:1,: hub-link sends no sentence "],
  [["--nmea0183-udp", "a:1,range="], "--nmea0183-udp a:1,range=: range must be miles, above 0 and at most 1000"],
  [["--nmea0183-udp", "a:1,range=0"], "--nmea0183-udp a:1,range=0: range must be miles, above 0 and at most 1000"],
  [["--nmea0183-udp", "a:1,range=1e9"], "--nmea0183-udp a:1,range=1e9: range must be miles, above 0 and at most 1000"],
  [["--signalk", "x"], "--signalk x: must be PORT or HOST:PORT"],
  [["--history", "8428"], "--history: must be http:// or https://, without a name and a password"],
  [["--voyages", "/var"], "--voyages: must be http:// or https://, without a name and a password"],
  [
    ["--history", "http://me:secret@127.0.0.1"],
    "--history: must be http:// or https://, without a name and a password",
  ],
  [["--mmsi", "992990011"], "--mmsi 992990011: must be nine digits, the first 2 to 7"],
  [["--prefix", "can/#"], "--prefix can/#: must not contain +, # or NUL"],
  [["--broker", "http://x"], "--broker http://x: must be mqtt://HOST[:PORT] or mqtts://HOST[:PORT]"],
  [["--signalk-and-more"], "unknown option --signalk-and-more, see --help"],
  [["x"], "unexpected argument x, see --help"],
  [["--nmea0183"], "--nmea0183 needs a value"],
  [["--log-level", "loud"], "--log-level loud: must be error, warn, info or debug"],
])("%j is refused", (args, message) => {
  expect(hubLinkCommand(args)).toEqual({ kind: "usage-error", message });
});

test("help and version win over a mistake that follows", () => {
  expect(hubLinkCommand(["--version", "--what"])).toEqual({ kind: "version" });
  expect(hubLinkCommand(["-h", "--what"]).kind).toBe("help");
});

test("--history is the address of the engine", () => {
  const command = hubLinkCommand(["--history", "https://engine.local:8428"]);
  expect(command).toMatchObject({ settings: { history: "https://engine.local:8428/" } });
});
