import type { ErrorCode } from "../../server/contract/error-codes.ts";

/** The gateway answered, and said no. `fields` are strings, as in `ErrorBody` of the contract. */
export class ApiError extends Error {
  readonly status: number;
  readonly errorCode: ErrorCode;
  readonly fields: Readonly<Record<string, string>>;

  constructor(status: number, errorCode: string, message: string, fields: Record<string, string>) {
    super(message);
    this.name = "ApiError";
    this.status = status;
    this.errorCode = errorCode as ErrorCode;
    this.fields = fields;
  }
}

/** No answer of the gateway's own came: stopped, restarting, or too slow. Nothing is known. */
export class UnreachableError extends Error {
  constructor(cause?: unknown) {
    super("The gateway did not answer", { cause });
    this.name = "UnreachableError";
  }
}

/** Answers after which nobody knows more than before: the same is asked again later. */
const UNDECIDED = new Set([401, 408, 425, 429]);

/** Whether the gateway decided against what was asked, so that asking the same again is no use. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && !UNDECIDED.has(error.status);
}

type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

interface RequestOptions {
  readonly body?: unknown;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

const DEFAULT_TIMEOUT_MS = 10_000;

/**
 * The one door to the gateway, on the page's own origin. Throws `ApiError` when the gateway
 * refused and `UnreachableError` when nobody can tell what became of the request.
 */
export async function request<T>(
  method: Method,
  path: string,
  { body, query, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: RequestOptions = {},
): Promise<T> {
  const timeout = AbortSignal.timeout(timeoutMs);
  let status: number;
  let text: string;
  try {
    const response = await fetch(path + queryString(query), {
      method,
      credentials: "same-origin",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        accept: "application/json",
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    status = response.status;
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) {
      throw error;
    }
    throw new UnreachableError(error);
  }
  return readAnswer<T>(status, text);
}

function readAnswer<T>(status: number, text: string): T {
  const succeeded = status >= 200 && status < 300;
  if (succeeded && text === "") {
    return undefined as T;
  }
  const answer = parseJson(text);
  if (succeeded && answer !== undefined) {
    return answer as T;
  }
  if (isErrorBody(answer) && answer.errorCode !== "SYSTEM_UNAVAILABLE") {
    throw new ApiError(status, answer.errorCode, answer.message, answer.fields ?? {});
  }
  throw new UnreachableError();
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function isErrorBody(
  value: unknown,
): value is { errorCode: string; message: string; fields?: Record<string, string> } {
  return typeof value === "object" && value !== null && "errorCode" in value;
}

function queryString(query: RequestOptions["query"]): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
