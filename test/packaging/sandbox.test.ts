/**
 * The lines of the units' sandboxes, each of which has to be there: the score of `systemd-analyze security` misses the
 * loss of some. And the line that keeps daemons small.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = "packaging/systemd";

/** Settings that are no restriction: the program of a unit, its user, its place and its time. */
const notOfTheSandbox =
  /^(Type|OpenFile|WatchdogSec|WatchdogSignal|User|Group|SupplementaryGroups|DynamicUser|UMask|Environment|EnvironmentFile|ExecStart|Restart|RestartSec|RestartSteps|RestartMaxDelaySec|RestartPreventExitStatus|TimeoutStopSec|OOMPolicy|StateDirectory|StateDirectoryMode|SuccessExitStatus|ConfigurationDirectory|ConfigurationDirectoryMode)=/;

const inAll = `
NoNewPrivileges=yes
ProtectSystem=strict
ProtectHome=yes
ProtectClock=yes
ProtectControlGroups=yes
ProtectKernelLogs=yes
ProtectKernelModules=yes
ProtectKernelTunables=yes
ProtectProc=invisible
ProcSubset=pid
PrivateTmp=yes
PrivateMounts=yes
LockPersonality=yes
RestrictNamespaces=yes
RestrictRealtime=yes
RestrictSUIDSGID=yes
SystemCallArchitectures=native
SystemCallErrorNumber=EPERM
IPAddressDeny=any`;

/** Directives of the units that run Node.js as the user hub. */
const ofNodeWithDevices = `
CapabilityBoundingSet=
PrivateUsers=yes
RemoveIPC=yes
SystemCallFilter=@system-service @pkey
SystemCallFilter=~@privileged @resources`;

const ofNode = `${ofNodeWithDevices}
PrivateDevices=yes`;

const withoutNetwork = `
PrivateNetwork=yes
RestrictAddressFamilies=none`;

const units: Readonly<Record<string, string>> = {
  "hub-alarm.service": `${ofNodeWithDevices}
DevicePolicy=closed
DeviceAllow=char-alsa rw
DeviceAllow=char-gpiochip rw
ProtectHostname=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
IPAddressAllow=localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7`,
  "hub-cand@.service": `${ofNode}
ProtectHostname=yes
RestrictAddressFamilies=AF_CAN AF_NETLINK AF_INET AF_INET6 AF_UNIX
IPAddressAllow=localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7`,
  "hub-config-backup.service": `${ofNode}${withoutNetwork}
ProtectHostname=yes`,
  "hub-config-fetch.service": `${ofNode}
ProtectHostname=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
IPAddressAllow=any`,
  "hub-config-perms.service": `${withoutNetwork}
PrivateDevices=yes
ProtectHostname=yes
ReadWritePaths=-/etc/hub
CapabilityBoundingSet=CAP_CHOWN CAP_FOWNER CAP_DAC_OVERRIDE
MemoryDenyWriteExecute=yes
SystemCallFilter=@system-service`,
  "hub-config.service": `${ofNode}
RestrictNetworkInterfaces=lo
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
IPAddressAllow=localhost`,
  "hub-history.service": `${ofNode}
ProtectHostname=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
IPAddressAllow=localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7`,
  "hub-link.service": `${ofNode}
ProtectHostname=yes
RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX
IPAddressAllow=localhost link-local 10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 fc00::/7`,
};

const sorted = (text: string): string[] => text.trim().split("\n").sort();

test("every service has a list", () => {
  const services = readdirSync(folder).filter((name) => name.endsWith(".service"));
  expect(services.sort()).toEqual(Object.keys(units).sort());
});

test.each(Object.entries(units))("%s is restricted by the lines of its list", (name, own) => {
  const [, service] = readFileSync(`${folder}/${name}`, "utf8").split(/^\[(?:Service|Install)\]\n/m);
  const lines = service!.split("\n").filter((line) => /^[A-Z]/.test(line) && !notOfTheSandbox.test(line));
  expect(lines.sort()).toEqual(sorted(inAll + own));
});

test.each(["hub-alarm", "hub-cand@", "hub-config", "hub-history", "hub-link"])(
  "%s gives memory back that it has freed",
  (name) => {
    expect(readFileSync(`${folder}/${name}.service`, "utf8")).toMatch(/^Environment=MALLOC_TRIM_THRESHOLD_=131072$/m);
  },
);

test("a boat without the Internet has no failed unit", () => {
  // hub-config-fetch ends with 75, EX_TEMPFAIL of sysexits.h, while the fleet cannot be reached.
  expect(readFileSync(`${folder}/hub-config-fetch.service`, "utf8")).toMatch(/^SuccessExitStatus=TEMPFAIL$/m);
});

/** Kernel drivers of character devices by the module that registers them; absent where Debian's kernel has it built in. */
const modules: Readonly<Record<string, string | undefined>> = {
  alsa: "snd",
  gpiochip: undefined,
  ttyACM: "cdc_acm",
  ttyAMA: undefined,
  ttyS: undefined,
  ttyUSB: "usbserial",
};

test("a driver that a unit may use is loaded first, because systemd permits only those that are there at the start", () => {
  const examples = "packaging/examples";
  const paths = [folder, examples].flatMap((name) => readdirSync(name).map((file) => `${name}/${file}`));
  const permitting = paths.filter((path) => /^DeviceAllow=char-/m.test(readFileSync(path, "utf8")));
  expect(permitting).toEqual([`${folder}/hub-alarm.service`, `${examples}/serial-gateway.conf`]);
  for (const path of permitting) {
    const text = readFileSync(path, "utf8");
    const drivers = [...text.matchAll(/^DeviceAllow=char-(\S+)/gm)].map(([, driver]) => driver!);
    expect(Object.keys(modules), path).toEqual(expect.arrayContaining(drivers));
    const loaders = drivers.flatMap((driver) => modules[driver] ?? []).map((name) => `modprobe@${name}.service`);
    // Wanted, not required: a container has no modules.
    for (const setting of ["Wants", "After"])
      expect(new RegExp(`^${setting}=(.*)$`, "m").exec(text)?.[1], `${path}: ${setting}`).toBe(loaders.join(" "));
    expect(text, path).not.toContain("Requires=");
  }
});

test("a unit that is started without a disk named by a drop-in is no failure", () => {
  const paths = readFileSync("packaging/examples/folder.conf", "utf8").match(/^ReadWritePaths=.*$/gm);
  expect(paths).toEqual(["ReadWritePaths=-/data/hub"]);
});

test.each([
  ["hub-config", /^ExecStart=\/usr\/bin\/hub-configd -c \$\{HUB_CONFIG_FOLDER\}$/m],
  ["hub-cand@", /^ExecStart=\S+ --interface %i --config \$\{HUB_CONFIG_FOLDER\}\/deploy\.json \$HUB_CAND_OPTIONS$/m],
] as const)("%s has the folder of the configuration from the variable that a drop-in sets", (name, start) => {
  const text = readFileSync(`${folder}/${name}.service`, "utf8");
  expect(text).toMatch(start);
  expect(text).toMatch(/^Environment=HUB_CONFIG_FOLDER=\/etc\/hub$/m);
});
