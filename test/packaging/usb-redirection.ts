/**
 * A USB adapter for CAN at a port of an emulated machine: QEMU's device `usb-redir` asks it by a socket, in the protocol
 * usbredir 0.7 (docs/usb-redirection-protocol.md of usbredir), with numbers little endian. The device is that of `gs-usb.ts`.
 */
import { createServer, type Socket } from "node:net";
import { controlAnswer, hostFrame } from "../bus/controller/gs-usb.ts";

/** Kind and length, and the number of the packet: of 4 bytes in HELLO, and of 8 after that. */
const [FIRST_HEAD, HEAD] = [12, 16];
const [HELLO, CONNECT, INTERFACES, ENDPOINTS] = [0, 1, 4, 5];
const [SET_CONFIGURATION, CONFIGURATION, SET_ALTERNATE, ALTERNATE, CANCEL] = [6, 8, 9, 11, 21];
const [CONTROL, BULK] = [100, 101];
/**
 * Capabilities that a port of USB 3 asks for: CONNECT has the version of the device, ENDPOINTS the sizes of packets, numbers
 * have 8 bytes, and BULK ends with the upper half of its length.
 */
const CAPABILITIES = (1 << 1) | (1 << 4) | (1 << 5) | (1 << 6);
const BULK_HEAD = 10;
const VERSION = 64;
const [DONE, CANCELLED, STALL] = [0, 1, 4];
/** Endpoint 0x81 of the lists of 32, in which those into the host are the upper half. */
const [IN, OUT] = [17, 2];
const [BULK_KIND, NO_KIND, PACKET] = [2, 255, 64];

function packet(type: number, id: bigint, body: Buffer, size = HEAD): Buffer {
  const head = Buffer.alloc(size);
  head.writeUInt32LE(type, 0);
  head.writeUInt32LE(body.length, 4);
  if (size === HEAD) head.writeBigUInt64LE(id, 8);
  return Buffer.concat([head, body]);
}

function hello(): Buffer {
  const body = Buffer.alloc(VERSION + 4);
  body.write("adapter of a test");
  body.writeUInt32LE(CAPABILITIES, VERSION);
  return packet(HELLO, 0n, body, FIRST_HEAD);
}

/** What is plugged in: a device at full speed, its interface of the vendor's own class, and its two endpoints. */
function plugged(): Buffer {
  const interfaces = Buffer.alloc(4 + 4 * 32);
  interfaces.writeUInt32LE(1, 0);
  for (const list of [1, 2, 3]) interfaces[4 + 32 * list] = 0xff;
  const endpoints = Buffer.alloc(3 * 32 + 2 * 32);
  endpoints.fill(NO_KIND, 0, 32);
  for (const control of [0, 16]) endpoints[control] = 0;
  for (const at of [IN, OUT]) {
    endpoints[at] = BULK_KIND;
    endpoints.writeUInt16LE(PACKET, 3 * 32 + 2 * at);
  }
  const device = Buffer.from([1, 0, 0, 0, 0x50, 0x1d, 0x6f, 0x60, 0, 0]);
  return Buffer.concat([
    packet(INTERFACES, 0n, interfaces),
    packet(ENDPOINTS, 0n, endpoints),
    packet(CONNECT, 0n, device),
  ]);
}

interface Transfer {
  readonly id: bigint;
  readonly body: Buffer;
}

export interface RedirectedAdapter {
  /** A frame of another node; it is lost where the machine does not listen. */
  hear(id: number, data: readonly number[]): void;
  close(): void;
}

/** Plugs the adapter into the machine that connects to the socket `path`. */
export function redirectAdapter(path: string): RedirectedAdapter {
  /** Transfers of the machine that wait for a frame, with their heads. */
  let waiting: Transfer[] = [];
  let socket: Socket | undefined;
  const send = (type: number, id: bigint, ...body: readonly Buffer[]): void =>
    void socket?.write(packet(type, id, Buffer.concat(body)));

  /** Returns a bulk transfer: endpoint, status, length, stream and the rest of the length, then the data. */
  function bulk({ id, body }: Transfer, data: Buffer, { status = DONE, length = data.length } = {}): void {
    const own = Buffer.from(body.subarray(0, BULK_HEAD));
    own[1] = status;
    own.writeUInt16LE(length, 2);
    send(BULK, id, own, data);
  }

  const give = (frame: Buffer): void => {
    const transfer = waiting.shift();
    if (transfer !== undefined) bulk(transfer, frame);
  };

  function take(type: number, id: bigint, body: Buffer): void {
    if (type === HELLO) socket?.write(plugged());
    else if (type === SET_CONFIGURATION) send(CONFIGURATION, id, Buffer.of(0, body[0]!));
    else if (type === SET_ALTERNATE) send(ALTERNATE, id, Buffer.of(0, body[0]!, body[1]!));
    else if (type === CANCEL) {
      const transfer = waiting.find((each) => each.id === id);
      waiting = waiting.filter((each) => each !== transfer);
      if (transfer !== undefined) bulk(transfer, Buffer.alloc(0), { status: CANCELLED });
    } else if (type === CONTROL) {
      // Endpoint, request, kind of request, status, value, index, length; in a setup packet the kind is before the request.
      const answer = controlAnswer(Buffer.concat([Buffer.of(body[2]!, body[1]!), body.subarray(4, 10)]));
      const own = Buffer.from(body.subarray(0, 10));
      own[3] = answer === undefined ? STALL : DONE;
      if ((body[2]! & 0x80) !== 0) own.writeUInt16LE(answer?.length ?? 0, 8);
      send(CONTROL, id, own, answer ?? Buffer.alloc(0));
    } else if (type === BULK && (body[0]! & 0x80) !== 0) waiting.push({ id, body });
    else if (type === BULK) {
      bulk({ id, body }, Buffer.alloc(0), { length: body.length - BULK_HEAD });
      // Sent back, which tells the machine that the frame was on the bus.
      give(Buffer.from(body.subarray(BULK_HEAD, BULK_HEAD + 20)));
    }
  }

  const server = createServer((connection) => {
    socket = connection;
    let bytes: Buffer = Buffer.alloc(0);
    let isGreeted = false;
    connection.on("data", (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      for (;;) {
        const size = isGreeted ? HEAD : FIRST_HEAD;
        if (bytes.length < size || bytes.length < size + bytes.readUInt32LE(4)) break;
        const end = size + bytes.readUInt32LE(4);
        take(bytes.readUInt32LE(0), isGreeted ? bytes.readBigUInt64LE(8) : 0n, bytes.subarray(size, end));
        isGreeted = true;
        bytes = bytes.subarray(end);
      }
    });
    connection.on("error", () => {});
    connection.write(hello());
  });
  server.listen(path);
  return {
    hear: (id, data) => give(hostFrame(id, data)),
    close() {
      socket?.destroy();
      server.close();
    },
  };
}
