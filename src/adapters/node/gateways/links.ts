/** Connections to gateways: TCP, UDP and serial ports, as asynchronous chunks. */
import { createSocket, type RemoteInfo } from "node:dgram";
import { once } from "node:events";
import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { connect } from "node:net";
import type { Duplex } from "node:stream";
import { isatty, ReadStream } from "node:tty";
import { attempt } from "../../../core/util/attempt.ts";
import type { GatewayAddress } from "../../../formats/gateway/table.ts";
import { configureSerialPort, releaseSerialPort, serialOverruns } from "../can/can-bus.ts";
import { droppedDatagrams } from "../kernel-sockets.ts";
import { failedWith } from "../system-errors.ts";

export interface Link {
  /**
   * Bytes as they arrive, read no faster than they are consumed. Ends when the other side ends the connection, throws
   * when it breaks.
   */
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Each chunk is a datagram, which begins and ends with whole messages. */
  readonly areDatagrams: boolean;
  /** The host that sent the last chunk; for datagrams only. */
  readonly sender?: string | undefined;
  /**
   * The last chunk could be read, so `write` sends to its sender. For datagrams only, because any host may send them.
   */
  understood?(): void;
  /** Never waits; false when there is no room, and then nothing was written. */
  write(bytes: Uint8Array): boolean;
  /** Ends `chunks`, with an error if there is one. May be called more than once. */
  close(reason?: Error): void;
  /** Datagrams so far for which there was no room, in the kernel and here; for a serial port, the overruns. */
  lost(): { readonly kernel: number; readonly queue: number };
}

/** Idle time after which the kernel sends keepalive probes; it gives up ten seconds later. */
const KEEPALIVE_AFTER_MS = 10_000;
/** Maximum unsent bytes: a gateway that reads nothing must not fill the memory. */
const MAX_UNSENT_BYTES = 16_384;
const MAX_QUEUED_BYTES = 1 << 20;
const RECEIVE_BUFFER_BYTES = 1 << 20;

const nothingLost = { kernel: 0, queue: 0 };

export interface LinkOptions {
  readonly connectMs: number;
  /** Aborts the opening. */
  readonly signal: AbortSignal;
}

/** Opens a connection; throws an error whose message or code has the reason why there is none. */
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

function streamLink(stream: Duplex): Link {
  // Errors reach the reader of the chunks; an error before it begins must not end the program.
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

/** The port is opened without waiting for a carrier, which most adapters do not signal. */
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
    // The port is configured after the stream has opened it again; nothing is read before the first request for a
    // chunk.
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
 * Lets others open a port, and closes the descriptor from which its stream was made, which would keep it in use. The
 * stream has opened the port again and closes only its own descriptor, unless that failed and it used this one: then
 * its number may belong to another file.
 */
function release(descriptor: number, { dev, ino, rdev }: Stats): void {
  try {
    const now = fstatSync(descriptor);
    if (now.dev !== dev || now.ino !== ino || now.rdev !== rdev) return;
    releaseSerialPort(descriptor);
    closeSync(descriptor);
  } catch {}
}

/** Counts the overruns of a port from now on; the number stays when the port has gone. */
function overrunsSince(stream: ReadStream, descriptor: number): Link["lost"] {
  const before = serialOverruns(descriptor) ?? 0;
  let kernel = 0;
  return () => {
    // The number of a closed descriptor may be that of another file.
    if (!stream.destroyed) kernel = Math.max(kernel, (serialOverruns(descriptor) ?? 0) - before);
    return { kernel, queue: 0 };
  };
}

async function openUdp({ host, port }: GatewayAddress, { signal }: LinkOptions): Promise<Link> {
  // The port is not shared: the kernel would give each datagram to one of two sockets alone, unless it is multicast.
  const socket = createSocket({ type: "udp4", reuseAddr: host !== "", recvBufferSize: RECEIVE_BUFFER_BYTES });
  const queue = new DatagramQueue();
  /** Senders of the datagram that is being read, and of the last one that could be read. */
  let from: RemoteInfo | undefined;
  let gateway: RemoteInfo | undefined;
  /** The last count of the kernel, which forgets a closed socket. */
  let dropped: number | undefined;
  socket.on("message", (bytes, sender) => queue.put({ bytes, sender }));
  socket.on("error", (error) => queue.end(error));
  try {
    socket.bind(port);
    await once(socket, "listening", { signal });
    if (host !== "") socket.addMembership(host);
  } catch (error) {
    attempt(() => socket.close());
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
    get sender() {
      return from?.address;
    },
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
      // A socket that is closed already throws.
      attempt(() => socket.close());
      queue.end(reason);
    },
    lost: () => ({ kernel: dropped ?? droppedDatagrams(port), queue: queue.lost }),
  };
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
