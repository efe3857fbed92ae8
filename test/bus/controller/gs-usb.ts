/**
 * A USB adapter for CAN as a program: plugged into the kernel's virtual USB port (vhci-hcd), where the driver gs_usb
 * makes an interface of it. Unlike an emulated controller on a bus it can have errors and be unplugged.
 *
 * The socket carries USB/IP (Documentation/usb/usbip_protocol.rst of Linux), with numbers in network order; the device
 * has the requests that drivers/net/can/usb/gs_usb.c of Linux sends to a candleLight, little endian.
 */
import { readdirSync, writeFileSync } from "node:fs";
import { writeFile } from "node:fs/promises";
import { connect, createServer, type Socket } from "node:net";

const PORT = "/sys/devices/platform/vhci_hcd.0";
const DRIVER = "/sys/bus/usb/drivers/gs_usb";
const FULL_SPEED = 2;

const SUBMIT = 1;
const UNLINK = 2;
const SUBMITTED = 3;
const UNLINKED = 4;
const HEAD = 48;
const ECONNRESET = 104;
const EPIPE = 32;

/** Bits of an error frame's identifier (linux/can/error.h). */
const ERROR_FRAME = 0x20000000;
const CONTROLLER = 0x004;
const BUS_OFF = 0x040;
const RESTARTED = 0x100;
/** Byte 1 of an error frame: 0x08 warning, 0x20 passive, both for sending; 0x40 active again. */
const controllerStates = { "ERROR-ACTIVE": 0x40, "ERROR-WARNING": 0x08, "ERROR-PASSIVE": 0x20 } as const;

/** Bits of an error frame's identifier, and its byte 2. */
const wireErrors = {
  acknowledge: { bits: 0x020, type: 0 },
  stuff: { bits: 0x008, type: 0x04 },
  form: { bits: 0x008, type: 0x02 },
} as const;

/** A host frame of the device says in its first word which frame of the host it returns, or that it is from the bus. */
const FROM_BUS = 0xffffffff;
/** Frames that it keeps while the host takes none; more are lost. */
const ROOM = 64;

/** Features: the modes listen-only, loop-back, triple-sampling and one-shot. */
const FEATURES = 0x0f;
const CLOCK = 48_000_000;

const words = (...values: readonly number[]): Buffer => {
  const bytes = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => {
    bytes.writeUInt32LE(value, at * 4);
  });
  return bytes;
};

const text = (value: string): Buffer =>
  Buffer.concat([Buffer.of(2 + 2 * value.length, 3), Buffer.from(value, "utf16le")]);

/** Two endpoints for bulk transfers of 64 bytes, 0x81 in and 0x02 out, on one interface of the vendor's own class. */
const configuration = Buffer.concat([
  Buffer.of(9, 2, 32, 0, 1, 1, 0, 0x80, 75),
  Buffer.of(9, 4, 0, 0, 2, 0xff, 0xff, 0xff, 0),
  Buffer.of(7, 5, 0x81, 2, 64, 0, 0),
  Buffer.of(7, 5, 0x02, 2, 64, 0, 0),
]);

/** Answers to "get descriptor", by its kind and number; 1d50:606f is the candleLight. */
const descriptors = new Map<number, Buffer>([
  [0x100, Buffer.of(18, 1, 0, 2, 0, 0, 0, 64, 0x50, 0x1d, 0x6f, 0x60, 0, 0, 1, 2, 3, 1)],
  [0x200, configuration],
  [0x300, Buffer.of(4, 3, 9, 4)],
  [0x301, text("hub")],
  [0x302, text("CAN adapter of a test")],
  [0x303, text("0001")],
]);

/** Answers to the requests of the vendor. */
const answers = new Map<number, Buffer>([
  // Limits of bit timing: time segments 1, 2, jump width, prescaler.
  [4, words(FEATURES, CLOCK, 1, 16, 1, 8, 4, 1, 1024, 1)],
  // One channel, versions of software and hardware.
  [5, Buffer.concat([Buffer.of(0, 0, 0, 0), words(2, 1)])],
]);

/** The answer to a control transfer by its setup packet, nothing for one that only tells, `undefined` for a refusal. */
export function controlAnswer(setup: Buffer): Buffer | undefined {
  const [kind, request, value, length] = [setup[0]!, setup[1]!, setup.readUInt16LE(2), setup.readUInt16LE(6)];
  if ((kind & 0x80) === 0) return Buffer.alloc(0);
  const isVendors = (kind & 0x60) === 0x40;
  const answer = isVendors ? answers.get(request) : request === 6 ? descriptors.get(value) : Buffer.alloc(length);
  return answer?.subarray(0, length);
}

/** A frame from the bus; the identifier as SocketCAN has it, with its flags. */
export function hostFrame(id: number, data: readonly number[]): Buffer {
  const frame = Buffer.alloc(20);
  frame.writeUInt32LE(FROM_BUS, 0);
  frame.writeUInt32LE(id, 4);
  frame[8] = data.length;
  frame.set(data, 12);
  return frame;
}

export class GsUsb {
  #socket: Socket | undefined;
  /** Transfers of the host that wait for something to come in, by their number. */
  #waiting: number[] = [];
  #ready: Buffer[] = [];
  /** Frames of the host that were sent. */
  sent = 0;

  /** Resolves once the kernel has it; its interface comes a little later. */
  async plug(): Promise<void> {
    this.#waiting = [];
    this.#ready = [];
    const path = `/tmp/gs-usb-${process.pid}`;
    const server = createServer().listen(path);
    const socket = new Promise<Socket>((resolve) => server.once("connection", resolve));
    const kernels = connect(path);
    // Nothing is to be read from it.
    kernels.pause();
    this.#socket = await socket;
    server.close();
    let buffer: Buffer = Buffer.alloc(0);
    this.#socket.on("data", (chunk: Buffer) => {
      buffer = this.#take(Buffer.concat([buffer, chunk]));
    });
    this.#socket.on("error", () => {});
    const { fd } = (kernels as unknown as { readonly _handle: { readonly fd: number } })._handle;
    writeFileSync(`${PORT}/attach`, `0 ${fd} ${(1 << 16) + 2} ${FULL_SPEED}`);
    kernels.destroy();
  }

  unplug(): void {
    writeFileSync(`${PORT}/detach`, "0");
    this.break();
  }

  /** The adapter stops answering, without a message to the kernel. */
  break(): void {
    this.#socket?.destroy();
    this.#socket = undefined;
  }

  /**
   * Unbinds the adapter from its driver; resolves with a function that binds it again. Meanwhile the driver has pending
   * requests.
   */
  async unbind(): Promise<() => Promise<void>> {
    const name = readdirSync(DRIVER).find((entry) => entry.includes(":"))!;
    await writeFile(`${DRIVER}/unbind`, name);
    return () => writeFile(`${DRIVER}/bind`, name);
  }

  /** A frame of another node, unless it is unplugged. */
  hear(id: number, data: readonly number[]): void {
    if (this.#socket !== undefined) this.#give(hostFrame(id, data));
  }

  /** The controller reports a new state. */
  become(state: keyof typeof controllerStates | "BUS-OFF"): void {
    if (state === "BUS-OFF") this.hear(ERROR_FRAME + BUS_OFF, new Array(8).fill(0));
    else this.hear(ERROR_FRAME + CONTROLLER, [0, controllerStates[state], 0, 0, 0, 0, 0, 0]);
  }

  /** The controller reports errors of a kind on the wires. */
  seeErrors(kind: keyof typeof wireErrors, count: number): void {
    const { bits, type } = wireErrors[kind];
    for (let each = 0; each < count; each++) this.hear(ERROR_FRAME + bits, [0, 0, type, 0, 0, 0, 0, 0]);
  }

  /** The controller has restarted after bus-off. */
  restart(): void {
    this.hear(ERROR_FRAME + RESTARTED, new Array(8).fill(0));
  }

  /** Handles whole requests; returns the bytes of an incomplete one. */
  #take(bytes: Buffer): Buffer {
    let rest = bytes;
    while (rest.length >= HEAD) {
      const command = rest.readUInt32BE(0);
      const number = rest.readUInt32BE(4);
      if (command === UNLINK) {
        this.#unlink(number, rest.readUInt32BE(20));
        rest = rest.subarray(HEAD);
        continue;
      }
      if (command !== SUBMIT) throw new Error(`USB/IP command ${command}`);
      const isIn = rest.readUInt32BE(12) === 1;
      const length = rest.readUInt32BE(24);
      const end = HEAD + (isIn ? 0 : length);
      if (rest.length < end) return rest;
      this.#submit(number, rest.readUInt32BE(16), isIn, rest.subarray(40, HEAD), rest.subarray(HEAD, end));
      rest = rest.subarray(end);
    }
    return rest;
  }

  #submit(number: number, endpoint: number, isIn: boolean, setup: Buffer, data: Buffer): void {
    if (endpoint === 0) this.#control(number, setup, data);
    else if (isIn) {
      const frame = this.#ready.shift();
      if (frame === undefined) this.#waiting.push(number);
      else this.#return(number, frame);
    } else {
      this.sent += 1;
      this.#return(number, Buffer.alloc(0), data.length);
      // Sent back, which tells the host that the frame was on the bus.
      this.#give(Buffer.from(data.subarray(0, 20)));
    }
  }

  #control(number: number, setup: Buffer, data: Buffer): void {
    const answer = controlAnswer(setup);
    if (answer === undefined) this.#return(number, Buffer.alloc(0), 0, -EPIPE);
    else this.#return(number, answer, answer.length + data.length);
  }

  #unlink(number: number, transfer: number): void {
    const isWaiting = this.#waiting.includes(transfer);
    this.#waiting = this.#waiting.filter((waiting) => waiting !== transfer);
    const head = Buffer.alloc(HEAD);
    head.writeUInt32BE(UNLINKED, 0);
    head.writeUInt32BE(number, 4);
    head.writeInt32BE(isWaiting ? -ECONNRESET : 0, 20);
    this.#socket?.write(head);
  }

  #give(frame: Buffer): void {
    const number = this.#waiting.shift();
    if (number === undefined) this.#ready = [...this.#ready, frame].slice(0, ROOM);
    else this.#return(number, frame);
  }

  #return(number: number, data: Buffer, length = data.length, status = 0): void {
    const head = Buffer.alloc(HEAD);
    head.writeUInt32BE(SUBMITTED, 0);
    head.writeUInt32BE(number, 4);
    head.writeInt32BE(status, 20);
    head.writeInt32BE(length, 24);
    this.#socket?.write(Buffer.concat([head, data]));
  }
}
