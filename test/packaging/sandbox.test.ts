/**
 * The lines of the units' sandboxes, each of which has to be there: the score of `systemd-analyze security` misses the
 * loss of some. And the line that keeps daemons small.
 */
import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const folder = "packaging/systemd";

/** Settings that are no restriction: the program of a unit, its user, its place and its time. */
const notOfTheSandbox =
  /^(Type|NotifyAccess|WatchdogSec|WatchdogSignal|User|Group|SupplementaryGroups|DynamicUser|UMask|Environment|EnvironmentFile|ExecStart|Restart|RestartSec|TimeoutStopSec|OOMPolicy|StateDirectory|StateDirectoryMode|SuccessExitStatus|ConfigurationDirectory|ConfigurationDirectoryMode)=/;

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
