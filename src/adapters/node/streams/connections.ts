/** The connections of an HTTP server: their number, shared by host, and the requests that are being answered. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { hostOf, Places } from "../../../core/util/places.ts";

/** Address of a connection; empty if it has ended. */
export const addressOf = ({ remoteAddress = "" }: Pick<Socket, "remoteAddress">): string => remoteAddress;

/**
 * A connection beyond the limit replaces the one without a whole request for the longest time (one of its own host if
 * that has its share), so that silent connections and half requests cannot lock out others. It is refused only while
 * all of these are being answered.
 */
export class Connections {
  readonly #places: Places;
  readonly #refused: (count: number) => void;
  /** Connections, the oldest first, each with the function that gives its place back. */
  readonly #all = new Map<Socket, () => void>();
  /** Connections without a request, longest first, with their hosts. */
  readonly #silent = new Map<Socket, string>();
  /** Connections with a request that is being answered, or has not come whole, with their hosts. */
  readonly #requests = new Map<Socket, { readonly request: IncomingMessage; readonly host: string }>();

  /** `refused` is called with the number of connections whenever one is ended. */
  constructor(most: number, refused: (count: number) => void) {
    this.#places = new Places(most);
    this.#refused = refused;
  }

  admit(socket: Socket): void {
    const address = addressOf(socket);
    const lacking = this.#places.lacking(address);
    const host = hostOf(address);
    if (lacking !== undefined) this.#makeRoom(lacking === "share" ? host : undefined, socket);
    if (socket.destroyed) return;
    this.#all.set(socket, this.#places.take(address));
    this.#silent.set(socket, host);
    socket.once("close", () => this.#remove(socket));
  }

  /** Ends a connection of the host, if one is named, in favour of a new one, or that one. */
  #makeRoom(host: string | undefined, socket: Socket): void {
    const unfinished = [...this.#requests].filter(([, { request }]) => !request.complete);
    const candidates = [...this.#silent, ...unfinished.map(([each, its]) => [each, its.host] as const)];
    const [longest] = candidates.find(([, its]) => host === undefined || its === host) ?? [socket];
    this.#remove(longest);
    longest.destroy();
    this.#refused(this.#all.size);
  }

  /**
   * A request has arrived; without a response its connection changes to another protocol. False for a request before
   * the response to the last one, whose connection is ended: a few bytes each could request megabytes, and no browser
   * or proxy does so.
   */
  serve(request: IncomingMessage, response?: ServerResponse): boolean {
    const { socket } = request;
    const host = this.#silent.get(socket);
    if (host === undefined) {
      socket.destroy();
      return false;
    }
    this.#silent.delete(socket);
    if (response !== undefined) this.#requests.set(socket, { request, host });
    response?.once("close", () => {
      this.#requests.delete(socket);
      if (this.#all.has(socket)) this.#silent.set(socket, host);
    });
    return true;
  }

  /** Whether a request has come whole, and its client has read all of the response that there is. */
  isWorkingFor(socket: Socket): boolean {
    return this.#requests.get(socket)?.request.complete === true && socket.writableLength === 0;
  }

  #remove(socket: Socket): void {
    this.#all.get(socket)?.();
    this.#all.delete(socket);
    this.#silent.delete(socket);
    this.#requests.delete(socket);
  }
}
