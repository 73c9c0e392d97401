import { type Clock, SECOND } from "../../lib/clock.ts";

const TIMEOUT_MS = 30 * SECOND;

/** A refusal of the gateway, or no answer. The message is for the assistant. */
export class GatewayError extends Error {}

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
      throw new GatewayError(
        `The gateway at ${this.#base} did not answer (${reason}). A purchase may have been accepted: read it by its transactionId before you buy again.`,
      );
    });
    const answer = (await response.json().catch(() => undefined)) as T | undefined;
    if (response.ok && answer !== undefined) return answer;
    const text = answer === undefined ? "no JSON" : JSON.stringify(answer);
    throw new GatewayError(`The gateway answered ${response.status}: ${text}`);
  }
}
