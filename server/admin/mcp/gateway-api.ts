import { type Clock, SECOND } from "../../lib/clock.ts";

/**
 * MCP clients wait for a minute. A quote, a purchase that is polled for 20 seconds and its last
 * poll must fit into it.
 */
const TIMEOUT_MS = 12 * SECOND;

/** A refusal of the gateway, or no answer. The message is for the assistant. */
export class GatewayError extends Error {
  /** Code of a refusal with a status of 4xx; undefined if the gateway did not refuse. */
  readonly refusal: string | undefined;

  constructor(message: string, refusal?: string) {
    super(message);
    this.refusal = refusal;
  }
}

/** Calls `/v1` of one gateway with one key. */
export class GatewayApi {
  readonly #base: string;
  readonly #key: string;
  readonly clock: Clock;

  /** @param url address with or without `/v1` */
  constructor(url: string, key: string, clock: Clock) {
    this.#base = url.replace(/\/+$/, "").replace(/\/v1$/, "");
    this.#key = key;
    this.clock = clock;
  }

  /** @throws GatewayError with the gateway's code, message and fields */
  get<T = unknown>(path: string): Promise<T> {
    return this.#call("GET", path);
  }

  /** @throws GatewayError with the gateway's code, message and fields */
  post<T = unknown>(path: string, body: unknown): Promise<T> {
    return this.#call("POST", path, body);
  }

  pause(milliseconds: number): Promise<void> {
    const { clock } = this;
    return new Promise((resolve) => {
      clock.wakeAt(clock.now() + milliseconds, resolve);
    });
  }

  async #call<T>(method: string, path: string, body?: unknown): Promise<T> {
    const response = await fetch(`${this.#base}/v1${path}`, {
      method,
      redirect: "error",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        authorization: `Bearer ${this.#key}`,
        ...(body !== undefined && { "content-type": "application/json" }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new GatewayError(`The gateway at ${this.#base} did not answer (${reason}).`);
    });
    const answer = (await response.json().catch(() => undefined)) as T | undefined;
    if (response.ok && answer !== undefined) return answer;
    const text = answer === undefined ? "no JSON" : JSON.stringify(answer);
    const { errorCode } = (answer ?? {}) as { errorCode?: unknown };
    const isRefused = response.status >= 400 && response.status < 500;
    throw new GatewayError(
      `The gateway answered ${response.status}: ${text}`,
      isRefused && typeof errorCode === "string" ? errorCode : undefined,
    );
  }
}
