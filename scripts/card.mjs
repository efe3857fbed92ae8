/**
 * Makes the image of a card, or of the disk of a PC: Debian, hub's packages, and their settings by hub.txt. As root:
 *
 *     npm run card -- [--architecture amd64|arm64] [--packages FOLDER] [--out FOLDER] [--key KEY] [--sources FILE]
 *                     [--mirror URL] [--include PACKAGE,PACKAGE] [--size MEGABYTES] [--work FOLDER]
 *
 * arm64 is for a Raspberry Pi 3 or 4, amd64 for a PC with UEFI. FILE is hub.sources of `npm run repository`, from which the
 * boat upgrades; KEY is the key of gpg that signs the checksum. FOLDER of --work keeps the root, and is used again.
 *
 * Nothing is mounted but by mmdebstrap, for Debian's scripts: partitions are made as files. Two images of one commit and the
 * same packages of Debian are the same. Needs mmdebstrap, squashfs-tools, mtools, dosfstools, e2fsprogs, fdisk, xz-utils and
 * device-tree-compiler; for another architecture than this machine's qemu-user-static too.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  closeSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { sourceModule, writeProgram } from "./bundle.mjs";
import { debianSite, SUITE } from "./debian-site.mjs";
import { endWithMessage, Failure } from "./failure.mjs";
import { root } from "./setup.mjs";
import { project, sourceSeconds } from "./source.mjs";

const MIB = 1 << 20;
/** The partition that any computer can edit, with the boot loader, kernel and device trees. */
const BOOT_MIB = 256;
/** The partition for settings and data, which takes all of the card at the first start. */
const DATA_MIB = 128;
/** Identities are the same for every card, as all else of it is. */
const DISK_ID = "68756201";
const BOOT_ID = "68756202";
const DATA_UUID = "6f0f0a3c-5d5e-4c7c-9d0b-687562000003";
const ROOT_PARTITION = `PARTUUID=${DISK_ID}-02`;

/** Programs of a boat beside hub. */
const PROGRAMS = [
  ...["systemd", "systemd-sysv", "systemd-timesyncd", "dbus", "udev", "kmod", "initramfs-tools", "zstd", "tzdata"],
  ...["e2fsprogs", "dosfstools", "fdisk", "iproute2", "ca-certificates", "curl", "openssh-server", "less", "nano"],
  // Wi-Fi as a client and as an access point, with addresses for its clients.
  ...["network-manager", "wpasupplicant", "dnsmasq-base", "nftables", "iw", "wireless-regdb"],
  // The sound of alarms.
  "alsa-utils",
  ...["avahi-daemon", "can-utils", "mosquitto", "mosquitto-clients", "nginx-light", "nodejs", "libstdc++6"],
];

/**
 * Packages, emulator and emulated processor of each architecture. A Cortex-A53, that of a Raspberry Pi 3, has no pointer
 * authentication, whose emulation makes Debian's programs 4 to 14 times as slow.
 */
const MACHINES = {
  amd64: { kernel: "linux-image-amd64", programs: ["systemd-boot-efi"], emulator: "qemu-x86_64-static" },
  arm64: {
    kernel: "linux-image-arm64",
    programs: ["raspi-firmware", "firmware-brcm80211"],
    emulator: "qemu-aarch64-static",
    processor: "cortex-a53",
  },
};
const OWN = { x64: "amd64", arm64: "arm64" }[process.arch];

function readOptions() {
  const { values } = parseArgs({
    options: {
      architecture: { type: "string", default: "amd64" },
      packages: { type: "string", default: join(root, "dist/packages") },
      out: { type: "string", default: join(root, "dist/card") },
      key: { type: "string" },
      sources: { type: "string" },
      mirror: { type: "string" },
      include: { type: "string", default: "" },
      size: { type: "string", default: "350" },
      work: { type: "string" },
    },
  });
  return values;
}

const environment = {
  ...process.env,
  PATH: `${process.env.PATH}:/usr/sbin:/sbin`,
  SOURCE_DATE_EPOCH: String(sourceSeconds()),
  // mke2fs of Debian 12 has the time by this name.
  E2FSPROGS_FAKE_TIME: String(sourceSeconds()),
  TZ: "UTC",
  LC_ALL: "C.UTF-8",
};

function run(command, args, options = {}) {
  const { status, stdout, stderr, error } = spawnSync(command, args, {
    env: environment,
    encoding: "utf8",
    maxBuffer: 1 << 28,
    ...options,
  });
  if (error !== undefined) throw new Failure(`${command} is missing: the top of scripts/card.mjs names what is needed`);
  if (status !== 0) throw new Failure(`${command} ${args.join(" ")}: ${stderr.slice(-4000)}`);
  return stdout;
}

/** Copies a folder, with the modes of its files and the time of the source, whatever the checkout has. */
function copyFiles(from, to) {
  mkdirSync(to, { recursive: true });
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (entry.isDirectory()) copyFiles(source, target);
    else {
      copyFileSync(source, target);
      chmodSync(target, statSync(source).mode & 0o100 ? 0o755 : 0o644);
      utimesSync(target, sourceSeconds(), sourceSeconds());
    }
  }
  chmodSync(to, 0o755);
}

/**
 * Gathers what make-root puts into the root.
 * @param {string} folder
 * @param {ReturnType<typeof readOptions>} options
 */
async function gather(folder, { packages, sources, architecture }) {
  const from = resolve(packages);
  const debs = existsSync(from)
    ? readdirSync(from).filter((name) => name.endsWith("_all.deb") || name.endsWith(`_${architecture}.deb`))
    : [];
  if (!debs.some((name) => name.startsWith("hub-cand_")))
    throw new Failure(`${from} has no packages for ${architecture}: npm run package makes them`);
  mkdirSync(join(folder, "packages"), { recursive: true });
  for (const name of debs) copyFileSync(join(from, name), join(folder, "packages", name));
  const inCard = join(root, "packaging/card");
  copyFiles(join(inCard, "root"), join(folder, "root"));
  if (existsSync(join(inCard, architecture))) copyFiles(join(inCard, architecture), join(folder, "root"));
  const own = join(folder, "root/usr/lib/hub-card");
  copyFileSync(join(inCard, "hub.txt"), join(own, "hub.txt"));
  await writeProgram(join(own, "hub-card.mjs"), { entryPoints: [join(inCard, "hub-card.ts")], minifySyntax: true });
  if (sources !== undefined) {
    mkdirSync(join(folder, "sources/sources.list.d"), { recursive: true });
    copyFileSync(sources, join(folder, "sources/sources.list.d/hub.sources"));
  }
}

/** The first bytes of programs of an architecture, and which of their bits count, for the kernel. */
const BINARIES = {
  amd64: "\\x02\\x00\\x3e\\x00",
  arm64: "\\x02\\x00\\xb7\\x00",
};

/**
 * The command that runs another one in a user namespace of root, in which the kernel starts the programs of another
 * architecture by an emulator; the machine itself learns nothing of it.
 */
function emulated(architecture, emulator, command) {
  const magic = `\\x7fELF\\x02\\x01\\x01\\x00${"\\x00".repeat(8)}${BINARIES[architecture]}`;
  const mask = `${"\\xff".repeat(7)}\\x00${"\\xff".repeat(8)}\\xfe\\xff\\xff\\xff`;
  // F: the emulator is opened now, so that it need not be in the root.
  const inside = `mount -t binfmt_misc none /proc/sys/fs/binfmt_misc && printf '%s' ':hub:M::${magic}:${mask}:/usr/bin/${emulator}:F' >/proc/sys/fs/binfmt_misc/register && exec "$@"`;
  // Its users are those of the machine, which only a process outside may say. The second sh has the rights of its root.
  const mapped = `until grep -q . /proc/self/gid_map; do sleep 0.1; done; exec sh -c "$0" "$@"`;
  const outside = `unshare --user --mount sh -c "$0" "$@" & for map in uid_map gid_map; do until echo "0 0 65536" 2>/dev/null >/proc/$!/$map; do sleep 0.1; kill -0 $! || exit; done; done; wait $!`;
  return ["sh", "-c", outside, mapped, inside, "sh", ...command];
}

/**
 * Makes the root, by mmdebstrap.
 * @param {string} folder
 * @param {string} files
 * @param {ReturnType<typeof readOptions>} options
 */
function makeRoot(folder, files, { architecture, mirror, include }) {
  const { kernel, programs, emulator, processor } = MACHINES[architecture];
  const site = mirror ?? debianSite();
  const components = "main non-free-firmware";
  const lines = [`deb ${site} ${SUITE} ${components}`];
  // A snapshot has no other archives beside it under the same time.
  if (mirror === undefined)
    lines.push(`deb ${site.replace(/debian\/?$/, "debian-security")} ${SUITE}-security ${components}`);
  const packages = [kernel, ...programs, ...PROGRAMS, ...include.split(",").filter((name) => name !== "")];
  const args = [
    ...[
      "--mode=root",
      "--variant=apt",
      "--skip=check/qemu",
      `--architectures=${architecture}`,
      `--include=${packages.join()}`,
    ],
    ...['--aptopt=APT::Install-Recommends "false"', '--aptopt=Acquire::Check-Valid-Until "false"'],
    ...[`--customize-hook=${join(root, "packaging/card/make-root")} "$1" ${files}`, SUITE, folder, ...lines],
  ];
  const [command, ...rest] =
    architecture === OWN ? ["mmdebstrap", ...args] : emulated(architecture, emulator, ["mmdebstrap", ...args]);
  // The initramfs is made once, by make-root, with the card's own scripts.
  run(command, rest, { env: { ...environment, INITRD: "No", QEMU_CPU: processor } });
}

/** Writes the FAT partition. */
async function writeBoot(image, folder, work, architecture) {
  const staged = join(work, "boot");
  rmSync(staged, { recursive: true, force: true });
  mkdirSync(staged);
  const firmware = join(folder, "boot/firmware");
  if (architecture === "amd64") writePcLoader(staged, folder);
  else {
    cpSync(firmware, staged, { recursive: true });
    await writeOverlays(join(staged, "overlays"), work);
    writeFileSync(join(staged, "hub-hat.txt"), "");
  }
  const text = readFileSync(join(root, "packaging/card/hub.txt"), "utf8");
  // Editors of Windows.
  writeFileSync(join(staged, "hub.txt"), text.replaceAll("\n", "\r\n"));
  touch(staged);
  truncateSync(image, BOOT_MIB * MIB);
  run("mkfs.vfat", ["--invariant", "-F", "32", "-n", "HUB", "-i", BOOT_ID, image]);
  run("mcopy", [
    "-i",
    image,
    "-s",
    "-m",
    "-Q",
    ...readdirSync(staged)
      .sort()
      .map((name) => join(staged, name)),
    "::",
  ]);
}

/** The loader of systemd, where UEFI looks on a disk that it does not know. */
function writePcLoader(staged, folder) {
  const write = (path, content) => {
    mkdirSync(join(staged, path, ".."), { recursive: true });
    writeFileSync(join(staged, path), content);
  };
  const copy = (from, to) => write(to, readFileSync(join(folder, from)));
  const [kernel] = readdirSync(join(folder, "boot")).filter((name) => name.startsWith("vmlinuz-"));
  copy(`boot/${kernel}`, "vmlinuz");
  copy(`boot/${kernel.replace("vmlinuz", "initrd.img")}`, "initrd.img");
  copy("usr/lib/systemd/boot/efi/systemd-bootx64.efi", "EFI/BOOT/BOOTX64.EFI");
  write("loader/loader.conf", "timeout 0\n");
  const options = `root=${ROOT_PARTITION} rootfstype=squashfs ro rootwait panic=10 net.ifnames=0 console=ttyS0,115200 console=tty0`;
  write("loader/entries/hub.conf", `title hub\nlinux /vmlinuz\ninitrd /initrd.img\noptions ${options}\n`);
}

/** Compiles the overlays of HATs and clocks. */
async function writeOverlays(target, work) {
  const { clockSource, clocks, overlayOf, overlaySource, overlays } = await sourceModule("packaging/card/overlays.ts");
  mkdirSync(target, { recursive: true });
  for (const [name, source] of [
    ...overlays.map((each) => [overlayOf(each), overlaySource(each)]),
    ...clocks.map((each) => [`clock-${each}`, clockSource(each)]),
  ]) {
    const file = join(work, "overlay.dts");
    writeFileSync(file, source);
    run("dtc", ["-@", "-q", "-I", "dts", "-O", "dtb", "-o", join(target, `hub-${name}.dtbo`), file]);
  }
}

function touch(folder) {
  for (const name of readdirSync(folder, { recursive: true, encoding: "utf8" }))
    utimesSync(join(folder, name), sourceSeconds(), sourceSeconds());
}

/** Writes the root as a squashfs; what is only in the first partition or is made at each start is left out. */
function writeRoot(image, folder) {
  rmSync(image, { force: true });
  const left = [
    "boot/[!f]*",
    "boot/firmware/*",
    "dev/*",
    "proc/*",
    "run/*",
    "sys/*",
    "tmp/*",
    "var/cache/apt/*",
    "var/lib/apt/lists/*",
  ];
  run("mksquashfs", [
    ...[folder, image, "-comp", "zstd", "-Xcompression-level", "6", "-b", "256K", "-no-progress", "-quiet"],
    ...["-no-exports", "-wildcards", "-e", ...left],
  ]);
  const mib = Math.ceil(statSync(image).size / MIB);
  truncateSync(image, mib * MIB);
  return mib;
}

function writeData(image) {
  rmSync(image, { force: true });
  writeFileSync(image, "");
  truncateSync(image, DATA_MIB * MIB);
  const fixed = `hash_seed=${DATA_UUID},lazy_itable_init=0,lazy_journal_init=0,root_owner=0:0`;
  // Blocks of the size that a whole card has, because it grows to one.
  run("mke2fs", ["-q", "-t", "ext4", "-L", "hub-data", "-U", DATA_UUID, "-b", "4096", "-m", "0", "-E", fixed, image]);
}

/** The licences of what is in the image and is not free software: firmware that Debian may give on, and so may others. */
function firmwareLicences(folder) {
  const texts = readdirSync(join(folder, "usr/share/doc"))
    .filter((name) => name.includes("firmware"))
    .sort()
    .map((name) => `== ${name}\n\n${readFileSync(join(folder, "usr/share/doc", name, "copyright"), "utf8")}`);
  return texts.length === 0 ? "No firmware is in this image.\n" : texts.join("\n");
}

function sha256(path) {
  const hash = createHash("sha256");
  const file = openSync(path, "r");
  const buffer = Buffer.alloc(MIB);
  for (let size = readSync(file, buffer); size > 0; size = readSync(file, buffer))
    hash.update(buffer.subarray(0, size));
  closeSync(file);
  return hash.digest("hex");
}

async function main() {
  if (process.getuid?.() !== 0) throw new Failure("a card is made by root, whose files are in it");
  const options = readOptions();
  const { architecture } = options;
  if (MACHINES[architecture] === undefined)
    throw new Failure(`--architecture ${architecture}: must be ${Object.keys(MACHINES).join(" or ")}`);
  const out = resolve(options.out);
  mkdirSync(out, { recursive: true });
  const work = options.work === undefined ? mkdtempSync(join(tmpdir(), "hub-card-")) : resolve(options.work);
  mkdirSync(work, { recursive: true });
  chmodSync(work, 0o755);
  try {
    const folder = join(work, `root-${architecture}`);
    if (!existsSync(folder)) {
      const files = join(work, "files");
      rmSync(files, { recursive: true, force: true });
      await gather(files, options);
      rmSync(`${folder}.new`, { recursive: true, force: true });
      makeRoot(`${folder}.new`, files, options);
      renameSync(`${folder}.new`, folder);
    }
    const part = (name) => join(work, `${name}.part`);
    writeFileSync(part("boot"), "");
    await writeBoot(part("boot"), folder, work, architecture);
    const rootMib = writeRoot(part("root"), folder);
    writeData(part("data"));

    const image = join(out, `hub-${project().version}-${architecture}.img`);
    const sizes = [BOOT_MIB, rootMib, DATA_MIB];
    writeFileSync(image, "");
    truncateSync(image, (1 + BOOT_MIB + rootMib + DATA_MIB) * MIB);
    const starts = [1, 1 + BOOT_MIB, 1 + BOOT_MIB + rootMib];
    const lines = starts.map(
      (start, index) => `start=${start}MiB, size=${sizes[index]}MiB, type=${["c", "83", "83"][index]}`,
    );
    run("sfdisk", ["--quiet", "--no-reread", "--no-tell-kernel", image], {
      input: `label: dos\nlabel-id: 0x${DISK_ID}\n${lines.join("\n")}\n`,
    });
    for (const [index, name] of ["boot", "root", "data"].entries())
      run("dd", [
        `if=${part(name)}`,
        `of=${image}`,
        "bs=1M",
        `seek=${starts[index]}`,
        "conv=notrunc,sparse",
        "status=none",
      ]);

    run("xz", ["--force", "--keep", "-0", "--threads=2", "--block-size=16MiB", image]);
    const packed = `${image}.xz`;
    writeFileSync(`${packed}.sha256`, `${sha256(packed)}  ${basename(packed)}\n`);
    if (options.key !== undefined)
      run("gpg", [
        ...["--batch", "--yes", "--digest-algo", "SHA512", "--local-user", options.key, "--armor"],
        ...["--output", `${packed}.sha256.asc`, "--detach-sign", `${packed}.sha256`],
      ]);
    const installed = run("dpkg-query", [`--admindir=${join(folder, "var/lib/dpkg")}`, "-W"]);
    writeFileSync(`${image}.packages`, installed);
    writeFileSync(`${image}.licences`, firmwareLicences(folder));
    const megabytes = statSync(packed).size / 1e6;
    console.log(`${packed}: ${megabytes.toFixed(0)} MB`);
    if (megabytes > Number(options.size)) throw new Failure(`the image has more than ${options.size} MB`);
  } finally {
    if (options.work === undefined) rmSync(work, { recursive: true, force: true });
  }
}

await endWithMessage(main);
