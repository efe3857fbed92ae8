import { expect, test } from "vitest";
import { type HubCandSettings, hubCandCommand } from "../../src/daemons/hub-cand-options.ts";

const settings = (...args: string[]): HubCandSettings => {
  const command = hubCandCommand(args);
  if (command.kind !== "run") throw new Error(JSON.stringify(command));
  return command.settings;
};

const local = { secure: false, host: "127.0.0.1", port: 1883 };

test("without options: can0, the broker on this machine, the deployed configuration", () => {
  expect(settings()).toEqual({
    interface: "can0",
    prefix: "can/can0",
    source: { kind: "bus" },
    target: { kind: "broker", broker: local, tls: {} },
    config: "/etc/hub/deploy.json",
    also: [],
    lanes: [],
    allPgns: false,
    publishUnknown: false,
    node: false,
    logLevel: "info",
  });
});

test.each<[string[], Partial<HubCandSettings>]>([
  [["-i", "vcan0"], { interface: "vcan0", prefix: "can/vcan0" }],
  [["-ivcan0", "-t", "boat/bus"], { interface: "vcan0", prefix: "boat/bus" }],
  [["--prefix=boat/"], { prefix: "boat" }],
  [["-t", "boot/möwe/$x"], { prefix: "boot/möwe/$x" }],
  // The unit gives the first one, /etc/default the second.
  [["--config", "/data/hub/deploy.json", "-c", "/etc/boat.json"], { config: "/etc/boat.json" }],
  [
    ["-b", "mqtt://[::1]:1884/"],
    { target: { kind: "broker", broker: { secure: false, host: "::1", port: 1884 }, tls: {} } },
  ],
  [
    ["-b", "mqtts://boat", "--ca", "ca.pem", "--cert=c.pem", "--key", "k.pem", "-a", "secret.json"],
    {
      target: {
        kind: "broker",
        broker: { secure: true, host: "boat", port: 8883 },
        credentials: "secret.json",
        tls: { ca: "ca.pem", cert: "c.pem", key: "k.pem" },
      },
    },
  ],
  [["--simulate=600", "-o"], { source: { kind: "simulation", from: 600 } }],
  [["--simulate", "-i", "can3"], { interface: "can3", source: { kind: "simulation", from: 0, unopened: "can3" } }],
  [["-r", "-", "-i", "can3"], { source: { kind: "replay", file: "-", speed: 1, unopened: "can3" } }],
  [["--home-assistant", "-o"], { homeAssistant: "homeassistant" }],
  [["--home-assistant=boat/ha/"], { homeAssistant: "boat/ha" }],
  [["--record=x", "--record-limit", "500M", "--simulate"], { record: { folder: "x", limit: 500 * 2 ** 20 } }],
  [["--record=x", "--record-limit=2000000"], { record: { folder: "x", limit: 2_000_000 } }],
  [["--serve-frames=0.0.0.0:1457"], { serveFrames: { host: "0.0.0.0", port: 1457 } }],
  [["--serve-frames", "[::]:1457"], { serveFrames: { host: "::", port: 1457 } }],
  [["--serve-frames", "boat.local:1457"], { serveFrames: { host: "boat.local", port: 1457 } }],
])("%j", (args, expected) => {
  expect(settings(...args)).toMatchObject(expected);
});

test.each<[string[], RegExp]>([
  [["--speling"], /^unknown option --speling, see --help$/],
  [["-oz"], /^unknown option -z/],
  [["-i"], /^-i needs a value$/],
  [["--stdout=yes"], /^--stdout takes no value$/],
  [["can0"], /^unexpected argument can0/],
  [["--", "-o"], /^unexpected argument -o/],
  [["--simulate=-1"], /^--simulate=-1: must be a whole number of seconds/],
  [["--node", "--simulate"], /^--node and --simulate exclude each other$/],
  [["--node", "-r", "x.log"], /^--node and --replay exclude each other$/],
  [["--source", "yd-raw+tcp://boat", "--simulate"], /^--source and --simulate exclude each other$/],
  [["--source", "yd-raw+tcp://boat", "-r", "x.log"], /^--source and --replay exclude each other$/],
  [["--source", "can0"], /^--source can0: must be one of yd-raw\+tcp:\/\/HOST\[:1457\], /],
  [["--source", "candump+tcp://boat"], /^--source candump\+tcp:\/\/boat: must be candump\+tcp:\/\/HOST:PORT$/],
  [
    ["--source", "n2k-ascii+tcp://boat:1", "--node"],
    /^--node: nothing can be sent through n2k-ascii\+tcp, which only listens$/,
  ],
  [["--source", "ikonvert:///dev/ttyUSB0", "--record", "x"], /^--record: ikonvert gives whole messages and no frames$/],
  [["-i", ""], /^--interface : not the name/],
  [["-i", "can/0"], /not the name/],
  [["-i", "can#"], /not the name/],
  [["-i", "sixteencharacter"], /not the name/],
  [["-i", ".."], /not the name/],
  [["-t", ""], /^--prefix : a level is empty$/],
  [["-t", "/"], /a level is empty/],
  [["-t", "/boat"], /a level is empty/],
  [["-t", "boat//bus"], /a level is empty/],
  [["-t", "boat//"], /a level is empty/],
  [["-t", "boat/+"], /must not contain/],
  [["-t", "boat/#"], /must not contain/],
  [["-t", "bo\0at"], /must not contain/],
  [["-t", "$SYS/boat"], /must not begin with \$/],
  [["-t", "ä".repeat(33_000)], /too long/],
  [["-b", "127.0.0.1"], /^--broker 127.0.0.1: must be mqtt:\/\/HOST/],
  [["-b", "ws://boat"], /must be mqtt/],
  [["-b", "mqtt://"], /must be mqtt/],
  [["-b", "mqtt://boat:0"], /must be mqtt/],
  [["-b", "mqtt://boat:65536"], /must be mqtt/],
  [["-b", "mqtt://boat/topic"], /must be mqtt/],
  [["-b", "mqtt://boat?x=1"], /must be mqtt/],
  [["-b", "mqtt://me:secret@boat"], /^--broker: name and password belong into the file of --credentials$/],
  [["-b", "me:secret@boat/x"], /^--broker: name and password belong/],
  [["--ca", "ca.pem"], /need mqtts/],
  [["-b", "mqtts://boat", "--cert", "c.pem"], /need each other/],
  [["-b", "mqtts://boat", "--ca="], /^--ca: empty file name$/],
  [["-r", "x.log", "--simulate"], /^--replay and --simulate exclude each other$/],
  [["--speed", "2"], /^--speed needs --replay$/],
  [["-r", "x", "--speed", "-1"], /^--speed -1: must be a number, 0 or more$/],
  [["-r", "x", "--speed", ""], /must be a number/],
  [["-r", "x", "--speed", "fast"], /must be a number/],
  [["-r", "x", "--speed", "Infinity"], /must be a number/],
  [["--max-rate", "0"], /^--max-rate 0: must be a number above 0$/],
  [["--max-rate", "1e3"], /above 0/],
  [["--lanes", "0"], /^--lanes 0: must be up to 8 whole numbers of seconds, 1 to 3600: 1,60$/],
  [["--lanes", ""], /whole numbers/],
  [["--lanes", "1.5"], /whole numbers/],
  [["--lanes", "1,2,3,4,5,6,7,8,9"], /up to 8/],
  [["--home-assistant="], /^--home-assistant : a level is empty$/],
  [["--home-assistant", "boat"], /^unexpected argument boat/],
  [["--record", ""], /^--record: empty file name$/],
  [["--record-limit", "1G"], /^--record-limit needs --record$/],
  [["--record", "x", "-r", "y"], /^--record and --replay exclude each other$/],
  [["--record", "x", "--record-limit", "1 G"], /^--record-limit 1 G: must be a number of bytes/],
  [["--record", "x", "--record-limit", "1023K"], /1M or more$/],
  [
    ["--source", "yd-raw+tcp://a", "-s", "yd-raw+tcp://b"],
    /^--source is given twice: each gateway needs an instance of its own$/,
  ],
  [["--also", "nonsense://x"], /^--also nonsense:\/\/x: must be one of/],
  [["-i", "can0", "--also", "can0"], /^--also can0: is listened to already$/],
  [["--also", "can1", "--also", "can1"], /^--also can1: is listened to already$/],
  [
    ["-s", "nmea0183+tcp://127.0.0.1:10110", "--also", "nmea0183+tcp://localhost"],
    /localhost: is listened to already$/,
  ],
  [["--also", "j1939:can1", "--also", "j1939:can1#2"], /^--also j1939:can1#2: is listened to already$/],
  [["--also", "mqtt:", "--also", "mqtt:"], /is listened to already$/],
  [["-r", "x", "--speed", "0", "--also", "can1"], /^--also needs a --speed above 0$/],
  [["-r", "x", "--findings", "--also", "can1"], /^--findings and --also exclude each other$/],
  [[..."12345678"].flatMap((digit) => ["--also", `can${digit}`]), /^--also may be given 7 times/],
  [["--stdout", "--also", "mqtt:"], /^--also mqtt:: there is no broker with --stdout/],
  [["--also", "mqtt://"], /^--also mqtt:\/\/: must be mqtt: or mqtt:\/\/HOST\[:PORT\]/],
  [["--also", "mqtt://boat:0"], /must be mqtt: or mqtt:\/\/HOST/],
  [["--also", "mqtts://boat"], /must be one of/],
  [["--also", "j1939:"], /^--also j1939:: must be j1939:INTERFACE or j1939\+URL/],
  ...["no/name", "can2#", "can2#100"].map((name): [string[], RegExp] => [
    ["--also", `j1939:${name}`],
    /must be j1939:INTERFACE/,
  ]),
  [["--also", "j1939+nonsense://x"], /the URL behind j1939\+ must be one of/],
  [["--also", "j1939+nmea0183+tcp://127.0.0.1"], /nmea0183\+tcp gives messages of NMEA 2000 and no frames/],
  [["--also", "j1939+ikonvert:///dev/ttyUSB0"], /ikonvert gives messages of NMEA 2000 and no frames/],
  [["--serve-frames", "0"], /^--serve-frames 0: must be PORT or HOST:PORT$/],
  [["--serve-frames", "65536"], /must be PORT or HOST:PORT$/],
  [["--serve-frames", "0.0.0.0"], /must be PORT or HOST:PORT$/],
  [["--serve-frames", "::1457"], /must be PORT or HOST:PORT$/],
  [["--serve-frames", "tcp://0.0.0.0:1457"], /must be PORT or HOST:PORT$/],
  [["--serve-frames", "1457", "--replay", "x", "--speed", "0"], /^--serve-frames needs a --speed above 0$/],
  [["--metrics", "0"], /^--metrics 0: must be a whole number, 1 to 65535$/],
  [["--metrics", "65536"], /must be a whole number/],
  [["--metrics", "127.0.0.1:80"], /must be a whole number/],
  [["-o", "-b", "mqtt://boat"], /^--stdout and --broker exclude each other$/],
  [["-o", "-a", "x"], /exclude each other/],
  [["-l", "loud"], /^--log-level loud: must be error, warn, info or debug$/],
])("%j is refused", (args, message) => {
  const command = hubCandCommand(args);
  expect(command.kind).toBe("usage-error");
  expect(command.kind === "usage-error" && command.message).toMatch(message);
});

test("help and version win over a mistake behind them, not before them", () => {
  expect(hubCandCommand(["-h", "--speling"]).kind).toBe("help");
  expect(hubCandCommand(["-V", "-h"]).kind).toBe("version");
  expect(hubCandCommand(["--speed", "x", "-h"]).kind).toBe("help");
  expect(hubCandCommand(["--speling", "-h"]).kind).toBe("usage-error");
});
