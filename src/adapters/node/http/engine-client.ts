/**
 * Posts lines to a time series engine over one connection that is kept open, because its end shows that the engine has
 * ended, even if it runs again before the next request. `fetch` does not show its connections.
 */
import { Agent as HttpAgent, request as httpRequest, type IncomingMessage } from "node:http";
import { Agent as HttpsAgent, request as httpsRequest } from "node:https";
import type { Socket } from "node:net";

/** Maximum bytes of a response in the log. */
const MAX_REASON_BYTES = 200;

export interface EngineClientOptions {
  readonly url: string;
  /** Value of the header Authorization. */
  readonly authorization?: string | undefined;
}

export interface Answer {
  readonly status: number;
  /** The beginning of the body, which may be endless. */
  readonly reason: string;
  /** Whether it is an HTML page: from a network that asks for a login, or from a web server at the wrong port. */
  readonly isPage: boolean;
}

export class EngineClient {
  readonly #url: URL;
  readonly #headers: Readonly<Record<string, string>>;
  readonly #request: typeof httpRequest;
  readonly #agent: HttpAgent;
  readonly #known = new WeakSet<Socket>();
  /** Connections whose end one of the sides has announced. */
  readonly #announced = new WeakSet<Socket>();
  /** Whether a connection has ended unexpectedly since this was set to false. */
  hasLost = false;

  constructor({ url, authorization }: EngineClientOptions) {
    this.#url = new URL(url);
    this.#headers = {
      "content-type": "text/plain; charset=utf-8",
      ...(authorization !== undefined && { authorization }),
    };
    const isSecure = this.#url.protocol === "https:";
    this.#request = isSecure ? httpsRequest : httpRequest;
    this.#agent = new (isSecure ? HttpsAgent : HttpAgent)({ keepAlive: true, maxSockets: 1 });
  }

  /** Rejects with the error of a system call, or the signal's reason. Redirects are answers like others. */
  async post(body: Uint8Array, signal: AbortSignal): Promise<Answer> {
    const headers = { ...this.#headers, "content-length": body.length };
    const request = this.#request(this.#url, { method: "POST", headers, agent: this.#agent, signal });
    request.once("socket", (socket) => this.#watch(socket));
    try {
      return await new Promise<Answer>((resolve, reject) => {
        request.once("error", reject).once("response", (response) => this.#read(response).then(resolve, reject));
        request.end(body);
      });
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      // The engine closed an idle connection at that moment. It may have stored the lines; storing them twice is
      // harmless.
      if (request.reusedSocket && (error as NodeJS.ErrnoException).code === "ECONNRESET")
        return this.post(body, signal);
      throw error;
    }
  }

  close(): void {
    this.#agent.destroy();
  }

  #watch(socket: Socket): void {
    if (this.#known.has(socket)) return;
    this.#known.add(socket);
    socket.once("close", () => {
      this.hasLost ||= !this.#announced.has(socket);
    });
  }

  async #read(response: IncomingMessage): Promise<Answer> {
    const { statusCode = 0, headers, socket } = response;
    if (headers.connection?.toLowerCase() === "close") this.#announced.add(socket);
    let reason = "";
    const decoder = new TextDecoder();
    for await (const chunk of response) {
      reason += decoder.decode(chunk as Buffer, { stream: true });
      if (reason.length < MAX_REASON_BYTES) continue;
      // Leaving the loop ends the connection.
      this.#announced.add(socket);
      break;
    }
    const isPage = headers["content-type"]?.startsWith("text/html") ?? false;
    return { status: statusCode, reason: reason.slice(0, MAX_REASON_BYTES), isPage };
  }
}
