/** Connections to gateways: TCP, UDP and serial ports, as chunks that are waited for. */
import { createSocket, type Socket as DatagramSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import type { GatewayAddress } from "../../../gateway/table.ts";
import { configureSerialPort, releaseSerialPort, serialOverruns } from "../can/can-bus.ts";
import { droppedDatagrams } from "../kernel-sockets.ts";
import { failedWith } from "../system-errors.ts";

export interface Link {
  /**
   * Bytes as they arrive, read no faster than they are taken. Ends when the other side ends it, throws when it breaks.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Each chunk is a datagram, which begins and ends with whole messages. */
  readonly areDatagrams: boolean;
  /**
   * The last chunk could be read, so `write` sends to its sender. For datagrams only, because any host may send them.
   */
  understood?(): void;
  /** Never waits; false when there is no room, and then nothing was written. */
  write(bytes: Uint8Array): boolean;
  /** Ends `chunks`, with an error if there is one. May be called more than once. */
  close(reason?: Error): void;
  /**
   * Datagrams so far that there was no room for, in the kernel and here; of a serial port, how often there was none.
   */
  lost(): { readonly kernel: number; readonly queue: number };
}

/** After this time the kernel begins to ask an idle peer whether it is there, and gives up ten seconds later. */
const KEEPALIVE_AFTER_MS = 10_000;
/** A gateway that takes nothing must not fill the memory. */
const MAX_UNSENT_BYTES = 16_384;
const MAX_QUEUED_BYTES = 1 << 20;
const RECEIVE_BUFFER_BYTES = 1 << 20;

const nothingLost = { kernel: 0, queue: 0 };

export interface LinkOptions {
  readonly connectMs: number;
  /** Gives up opening. */
  readonly signal: AbortSignal;
}

/** Opens a connection; throws an error whose message or code says why there is none. */
export async function openLink(address: GatewayAddress, options: LinkOptions): Promise<Link> {
  switch (address.endpoint.transport) {
    case "tcp":
      return openTcp(address, options);
    case "udp":
      return openUdp(address, options);
    case "serial":
      return openSerial(address);
  }
}

/** A stream in both directions as a link. */
function streamLink(stream: Duplex): Link {
  // Errors reach the reader of the chunks; one before it begins must not end the program.
  stream.on("error", () => {});
  return {
    chunks: stream,
    areDatagrams: false,
    write(bytes) {
      if (stream.writableLength > MAX_UNSENT_BYTES) return false;
      stream.write(bytes);
      return true;
    },
    close: (reason) => void stream.destroy(reason),
    lost: () => nothingLost,
  };
}

async function openTcp({ host, port }: GatewayAddress, { connectMs, signal }: LinkOptions): Promise<Link> {
  const socket = connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: KEEPALIVE_AFTER_MS });
  const link = streamLink(socket);
  const late = setTimeout(() => socket.destroy(new Error(`no connection within ${connectMs / 1000} s`)), connectMs);
  try {
    await once(socket, "connect", { signal });
    return link;
  } catch (error) {
    socket.destroy();
    throw error;
  } finally {
    clearTimeout(late);
  }
}

const { O_RDWR, O_NOCTTY, O_NONBLOCK } = constants;

/** Opened without waiting for a carrier, which most adapters do not signal. */
function openSerial({ path, baud }: GatewayAddress): Link {
  const descriptor = openSync(path, O_RDWR | O_NOCTTY | O_NONBLOCK);
  if (!isatty(descriptor)) {
    closeSync(descriptor);
    throw new Error("not a serial port");
  }
  const port = fstatSync(descriptor);
  const stream = new ReadStream(descriptor);
  stream.once("close", () => release(descriptor, port));
  try {
    // The port is configured after the stream has opened it once more; nothing is read before it is asked for.
    configureSerialPort(descriptor, baud);
  } catch (error) {
    stream.destroy();
    throw failedWith(error, "EINVAL") ? new Error(`the port has no rate of ${baud} bits a second`) : error;
  }
  const link = streamLink(stream);
  const lost = overrunsSince(stream, descriptor);
  return {
    ...link,
    lost,
    close(reason) {
      lost();
      link.close(reason);
    },
  };
}

/**
 * Lets others open a port, and closes the descriptor that its stream was made of, which would keep it in use. The
 * stream has opened the port once more and closed that one alone, unless it could not and used this one: its number may
 * be that of another file then.
 */
function release(descriptor: number, { dev, ino, rdev }: Stats): void {
  try {
    const now = fstatSync(descriptor);
    if (now.dev !== dev || now.ino !== ino || now.rdev !== rdev) return;
    releaseSerialPort(descriptor);
    closeSync(descriptor);
  } catch {}
}

/** Counts the overruns of a port from now on; those of a port that has gone stay what they were. */
function overrunsSince(stream: ReadStream, descriptor: number): Link["lost"] {
  const before = serialOverruns(descriptor) ?? 0;
  let kernel = 0;
  return () => {
    // The number of a closed descriptor may be that of another file.
    if (!stream.destroyed) kernel = Math.max(kernel, (serialOverruns(descriptor) ?? 0) - before);
    return { kernel, queue: 0 };
  };
}

async function openUdp({ port }: GatewayAddress, { signal }: LinkOptions): Promise<Link> {
  // The port is not shared: the kernel would give each datagram to the last one of two sockets alone.
  const socket = createSocket({ type: "udp4", recvBufferSize: RECEIVE_BUFFER_BYTES });
  const queue = new DatagramQueue();
  /** Senders of the datagram that is being read, and of the last one that could be read. */
  let from: RemoteInfo | undefined;
  let gateway: RemoteInfo | undefined;
  /** Once the socket is closed; the kernel does not know it any more. */
  let dropped: number | undefined;
  socket.on("message", (bytes, sender) => queue.put({ bytes, sender }));
  socket.on("error", (error) => queue.end(error));
  try {
    socket.bind(port);
    await once(socket, "listening", { signal });
  } catch (error) {
    closeSocket(socket);
    throw error;
  }
  return {
    chunks: (async function* () {
      for await (const { bytes, sender } of queue) {
        from = sender;
        yield bytes;
      }
    })(),
    areDatagrams: true,
    understood() {
      gateway = from;
    },
    write(bytes) {
      if (gateway === undefined || socket.getSendQueueSize() > MAX_UNSENT_BYTES) return false;
      socket.send(bytes, gateway.port, gateway.address, () => {});
      return true;
    },
    close(reason) {
      dropped ??= droppedDatagrams(port);
      closeSocket(socket);
      queue.end(reason);
    },
    lost: () => ({ kernel: dropped ?? droppedDatagrams(port), queue: queue.lost }),
  };
}

/** A socket that is closed already throws. */
function closeSocket(socket: DatagramSocket): void {
  try {
    socket.close();
  } catch {}
}

interface Datagram {
  readonly bytes: Uint8Array;
  readonly sender: RemoteInfo;
}

/** Datagrams on their way from the socket to the reader. */
class DatagramQueue implements AsyncIterable<Datagram> {
  lost = 0;
  #datagrams: Datagram[] = [];
  #bytes = 0;
  #isEnded = false;
  #reason: Error | undefined;
  #wake = (): void => {};

  put(datagram: Datagram): void {
    const { length } = datagram.bytes;
    if (this.#bytes + length > MAX_QUEUED_BYTES) this.lost++;
    else {
      this.#datagrams.push(datagram);
      this.#bytes += length;
      this.#wake();
    }
  }

  end(reason?: Error): void {
    if (this.#isEnded) return;
    this.#isEnded = true;
    this.#reason = reason;
    this.#wake();
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Datagram, void, void> {
    for (;;) {
      const datagrams = this.#datagrams;
      this.#datagrams = [];
      this.#bytes = 0;
      yield* datagrams;
      if (this.#datagrams.length > 0) continue;
      if (this.#reason !== undefined) throw this.#reason;
      if (this.#isEnded) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }
}
