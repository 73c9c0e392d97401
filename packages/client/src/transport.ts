import { ApiError, ConnectionError, readApiError } from "./errors.ts";

export interface TransportOptions {
  readonly apiKey: string;
  /** Maximum number of repeats of a request. Default: 4. */
  readonly maxRetries?: number;
  /** Maximum `Retry-After` to wait for. Default: 30 s. */
  readonly maxRetryDelayMs?: number;
  /** Timeout of one attempt, including reading the response. Default: 30 s. */
  readonly requestTimeoutMs?: number;
  /** Replaces the global `fetch`. */
  readonly fetch?: (request: Request) => Promise<Response>;
}

/**
 * @param isRepeatable true if the request may be sent again after its response was lost
 * @throws ApiError, ConnectionError, or the reason of the caller's abort signal
 */
export type Send = (request: Request, isRepeatable: boolean) => Promise<Response>;

/** Statuses with which the gateway refuses a request without any effect. */
const REFUSED_FOR_NOW = new Set([429, 503]);
/** Statuses with which a proxy reports a lost response. */
const ANSWER_LOST = new Set([502, 504]);

const FIRST_DELAY_MS = 250;
/**
 * Maximum random delay. Clients that were refused at the same moment then repeat at different
 * times.
 */
const JITTER_MS = 250;

export function createTransport(options: TransportOptions): Send {
  const { apiKey, maxRetries = 4, maxRetryDelayMs = 30_000, requestTimeoutMs = 30_000 } = options;
  const send = options.fetch ?? ((request: Request) => globalThis.fetch(request));

  async function attempt(request: Request): Promise<Response | ApiError | ConnectionError> {
    const signal = AbortSignal.any([request.signal, AbortSignal.timeout(requestTimeoutMs)]);
    try {
      const response = await send(new Request(request.clone(), { signal }));
      if (!response.ok) return await readApiError(response);
      return await readWhole(response);
    } catch (error) {
      request.signal.throwIfAborted();
      return new ConnectionError("The gateway did not answer.", { cause: error });
    }
  }

  function getRetryDelay(
    error: ApiError | ConnectionError,
    isRepeatable: boolean,
    attempts: number,
  ): number | undefined {
    if (attempts > maxRetries) return undefined;
    const backOff = FIRST_DELAY_MS * 2 ** (attempts - 1);
    if (error instanceof ConnectionError) return isRepeatable ? backOff : undefined;
    if (ANSWER_LOST.has(error.status)) return isRepeatable ? backOff : undefined;
    if (!REFUSED_FOR_NOW.has(error.status)) return undefined;
    const delay = error.retryAfterMs ?? backOff;
    return delay <= maxRetryDelayMs ? delay : undefined;
  }

  return async (request, isRepeatable) => {
    request.headers.set("authorization", `Bearer ${apiKey}`);
    for (let attempts = 1; ; attempts++) {
      const outcome = await attempt(request);
      if (outcome instanceof Response) return outcome;
      const delay = getRetryDelay(outcome, isRepeatable, attempts);
      if (delay === undefined) throw outcome;
      await pause(delay + Math.random() * JITTER_MS, request.signal);
    }
  };
}

export function isAnswerLost(error: unknown): boolean {
  return !(error instanceof ApiError) || ANSWER_LOST.has(error.status);
}

/**
 * Reads a JSON response to its end. If the connection is lost before the end, the response counts
 * as lost.
 */
async function readWhole(response: Response): Promise<Response> {
  const { status, headers } = response;
  if (!headers.get("content-type")?.includes("json")) return response;
  const text = await response.text();
  JSON.parse(text);
  return new Response(text, { status, headers });
}

/** @throws the signal's reason if it aborts first */
export function pause(milliseconds: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason as Error);
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", abort);
      resolve();
    }, milliseconds);
    function abort(): void {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    }
    signal?.addEventListener("abort", abort, { once: true });
  });
}
