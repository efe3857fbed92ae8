/**
 * Runs a command on a kernel with CAN: as root in a small guest that QEMU emulates, with the kernel of Debian, or in
 * User Mode Linux, which is a program of this machine.
 *
 *     node test/guest/run.mjs [--kind amd64|arm64|uml] [--memory MB] [--timeout SECONDS] [--report FOLDER]
 *                            -- COMMAND [ARG]...
 *
 * The guest can read the files of this machine (or of a small Debian, and the checkout) and cannot change them; files
 * in $HUB_REPORT are copied into the folder of --report. It has vcan0, in QEMU two emulated SJA1000 controllers on one
 * bus, can0 and can1, and `lo`; no other network. The output of the command is printed; the exit code is that of the
 * command, or 125 if the guest failed before.
 *
 * User Mode Linux is as fast as this machine and has its clock. The clock of QEMU counts instructions (`-icount`), 2 ns
 * each, so the load of this machine changes the duration of a test, and not its results. It skips idle time, which
 * suits a test of minutes, but not one that waits for a file of this machine: so a program runs all the time, until a
 * SIGSTOP to $HUB_IDLE_PID (`idle-time.ts`).
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { buildAddon } from "../../scripts/addon.mjs";
import { prepare } from "./prepare.mjs";

const checkout = fileURLToPath(new URL("../..", import.meta.url)).replace(/\/$/, "");

const emulators = {
  amd64: {
    program: "qemu-system-x86_64",
    // Only the features that make Node fast: others of a processor cost more to emulate than they save.
    options: ["-M", "q35", "-cpu", "qemu64,+ssse3,+sse4.1,+sse4.2,+popcnt,+cx16"],
    console: "ttyS0",
    kernelOptions: "tsc=reliable no_timer_check",
  },
  arm64: {
    program: "qemu-system-aarch64",
    options: ["-M", "virt,gic-version=3", "-cpu", "cortex-a72"],
    console: "ttyAMA0",
    kernelOptions: "",
  },
};

/** Code that QEMU has translated is used again only at the same address, as in the next process of the same program. */
const sameAddresses = "norandmaps nokaslr";

/** The kernel would try out its ciphers for more than a second. */
const untested = "cryptomgr.notests";

const quoted = (text) => `'${text.replaceAll("'", "'\\''")}'`;

/** Process 1 of the guest: the rest of the set-up, and the command. */
const initOf = ({ command, environment, isForeign, isUml }) => `
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root
b=/run/busybox
${
  isUml
    ? ""
    : `(while :; do :; done) & export HUB_IDLE_PID=$!
$b renice -n 19 -p $HUB_IDLE_PID`
}
$b mkdir -p /dev/pts /dev/shm /root
$b mount -t devpts devpts /dev/pts
$b ln -s /proc/self/fd /dev/fd
$b mount -t tmpfs shm /dev/shm
${
  isForeign
    ? `$b mkdir -p /run/lower /run/over ${quoted(checkout)}
$b mount -t 9p -o trans=virtio,version=9p2000.L,msize=512000,cache=loose,ro checkout /run/lower
$b mount -t tmpfs over /run/over && $b mkdir /run/over/up /run/over/work
$b mount -t overlay -o lowerdir=/run/lower,upperdir=/run/over/up,workdir=/run/over/work checkout ${quoted(checkout)}
cd ${quoted(checkout)}
$b cp /run/job/hub_can.node build/Release/hub_can.node`
    : `cd ${quoted(checkout)}`
}
for ip in /bin/ip /sbin/ip; do [ ! -x $ip ] || break; done # by its path: the shell's own knows no CAN
$ip link set lo up
$ip link add dev vcan0 type vcan && $ip link set vcan0 up
for name in can0 can1; do
  [ -e /sys/class/net/$name ] || continue
  $ip link set $name type can bitrate 250000 restart-ms 100 && $ip link set $name txqueuelen 1000 up
done
${
  isUml
    ? "$b stty raw -echo </dev/tty1; $b ln -s /dev/tty1 /run/output"
    : `for port in /sys/class/virtio-ports/*; do $b ln -s /dev/\${port##*/} /run/output; done`
}
${environment.map(([name, value]) => `export ${name}=${quoted(value)}`).join("\n")}
(exec ${command.map(quoted).join(" ")}) </dev/null >/run/output 2>&1
echo $? >/run/job/status
$b sync
$b poweroff -f
`;

/** QEMU and its arguments. */
function qemu(kind, { kernel, initramfs, root }, job, memory) {
  const { program, options, console, kernelOptions } = emulators[kind];
  const share = (path, tag, how) => ["-virtfs", `local,path=${path},mount_tag=${tag},security_model=none,${how}`];
  return [
    program,
    ...options,
    ...["-accel", "tcg,thread=single,tb-size=512", "-icount", "shift=1,sleep=off"],
    ...["-smp", "1", "-m", String(memory), "-nodefaults", "-no-user-config", "-display", "none", "-monitor", "none"],
    ...["-no-reboot", "-serial", `file:${job}/console`, "-kernel", kernel, "-initrd", initramfs],
    "-append",
    `console=${console} quiet panic=-1 mitigations=off random.trust_cpu=on audit=0 selinux=0 apparmor=0 ${untested} ${sameAddresses} ${kernelOptions}`,
    ...share(root, "root", "readonly=on,multidevs=remap"),
    ...share(job, "job", "multidevs=remap"),
    ...(root === "/" ? [] : share(checkout, "checkout", "readonly=on,multidevs=remap")),
    ...["-device", "virtio-serial-pci", "-chardev", "stdio,id=output,signal=off"],
    ...["-device", "virtserialport,chardev=output,name=output"],
    ...["-object", "can-bus,id=bus", "-device", "kvaser_pci,canbus=bus", "-device", "kvaser_pci,canbus=bus"],
    ...["-object", "rng-random,id=random,filename=/dev/urandom", "-device", "virtio-rng-pci,rng=random"],
  ];
}

/** User Mode Linux and its arguments: its console is a file of the job, its first terminal the output. */
const userModeLinux = ({ kernel, initramfs }, job, memory) => [
  ...["sh", "-c", 'exec "$@" 3>"$0"', join(job, "console"), kernel],
  ...[`mem=${memory}M`, `initrd=${initramfs}`, "quiet", "panic=-1", `HUB_JOB=${job}`],
  ...["con=null", "con0=null,fd:3", "con1=null,fd:1", "ssl=null"],
];

/**
 * Runs the command in a guest; returns its exit code.
 *
 * @param {readonly string[]} command
 * @param {{ kind?: string | undefined, memory?: number | undefined, timeout?: number | undefined,
 *   report?: string | undefined, environment?: NodeJS.ProcessEnv }} [options]
 */
export async function runInGuest(
  command,
  { kind = "amd64", memory = 1536, timeout = 600, report, environment = {} } = {},
) {
  const isUml = kind === "uml";
  if (!isUml && emulators[kind] === undefined) throw new Error(`no such guest: ${kind}`);
  const parts = await prepare(kind);
  const isForeign = parts.root !== "/";
  const job = mkdtempSync(join(tmpdir(), "hub-guest-"));
  chmodSync(job, 0o755);
  mkdirSync(join(job, "report"));
  if (isForeign) cpSync(buildAddon(kind), join(job, "hub_can.node"));
  const variables = { CI: process.env.CI ?? "", HUB_GUEST: kind, HUB_REPORT: "/run/job/report", ...environment };
  writeFileSync(join(job, "init"), initOf({ command, environment: Object.entries(variables), isForeign, isUml }));
  const [program, ...args] = isUml ? userModeLinux(parts, job, memory) : qemu(kind, parts, job, memory);
  // At the end of its input QEMU would close the output of the guest, too.
  // A group of its own: the processes in User Mode Linux are processes of this machine, and end with the group.
  const child = spawn(program, args, { stdio: ["pipe", "inherit", "pipe"], detached: true });
  let complaint = "";
  child.stderr.on("data", (chunk) => {
    complaint += chunk;
  });
  const end = () => process.kill(-Number(child.pid), "SIGKILL");
  process.once("exit", end);
  const exit = () => process.exit(130);
  const signals = ["SIGINT", "SIGTERM"];
  for (const signal of signals) process.on(signal, exit);
  const isLate = setTimeout(end, timeout * 1000);
  try {
    const [code] = await once(child, "close");
    const status = join(job, "status");
    if (report !== undefined) cpSync(join(job, "report"), report, { recursive: true });
    if (existsSync(status)) return Number(readFileSync(status, "utf8"));
    console.error(code === null ? `hub: the guest was ended after ${timeout} s` : "hub: the guest ended by itself");
    console.error(complaint + readFileSync(join(job, "console"), "utf8").slice(-3000));
    return 125;
  } finally {
    clearTimeout(isLate);
    process.off("exit", end);
    for (const signal of signals) process.off(signal, exit);
    rmSync(job, { recursive: true });
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      kind: { type: "string" },
      memory: { type: "string" },
      timeout: { type: "string" },
      report: { type: "string" },
    },
  });
  process.exit(
    await runInGuest(positionals, {
      kind: values.kind,
      memory: values.memory ? Number(values.memory) : undefined,
      timeout: values.timeout ? Number(values.timeout) : undefined,
      report: values.report,
    }),
  );
}
