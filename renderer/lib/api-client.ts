import type { ErrorCode } from "../../server/contract/error-codes.ts";
import {
  type AnswerOf,
  addressOf,
  type CallOperation,
  type EventOf,
  type Operation,
  OWN_PIN_HEADER,
  type PartOf,
  type StreamOperation,
} from "../../server/contract/pos/operation.ts";
import { noteGatewayTime } from "./gateway-clock.ts";
import { sendWithOwnPin } from "./own-pin.ts";

/** The gateway refused the request. `fields` are strings, as in `ErrorBody` of the contract. */
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

/**
 * There was no response from the gateway: it is stopped, restarting or too slow. The outcome is
 * unknown.
 */
export class UnreachableError extends Error {
  constructor(cause?: unknown) {
    super("The gateway did not answer", { cause });
    this.name = "UnreachableError";
  }
}

/** Statuses without a decision: the request is repeated later. */
const UNDECIDED = new Set([401, 408, 425, 429]);

/** Returns whether the gateway refused the request finally, so that a repeat is useless. */
export function isRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.status < 500 && !UNDECIDED.has(error.status);
}

export function hasErrorCode(error: unknown, code: ErrorCode): error is ApiError {
  return error instanceof ApiError && error.errorCode === code;
}

type Sent<Value> = Value extends object
  ? {
      readonly [Name in keyof Value]: Partial<Pick<Value, Name>> extends Pick<Value, Name>
        ? Sent<Value[Name]> | undefined
        : Sent<Value[Name]>;
    }
  : Value;

type SentPart<Declaration extends Operation, Part extends "params" | "query" | "body"> =
  PartOf<Declaration, Part> extends infer Value
    ? Value extends undefined
      ? { readonly [Name in Part]?: never }
      : Partial<Value> extends Value
        ? { readonly [Name in Part]?: Sent<Value> }
        : { readonly [Name in Part]: Sent<Value> }
    : never;

export type InputOf<Declaration extends Operation> = SentPart<Declaration, "params"> &
  SentPart<Declaration, "query"> &
  SentPart<Declaration, "body">;

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

export type Given<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

const DEFAULT_TIMEOUT_MS = 10_000;

interface Request extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/**
 * Calls the gateway on the page's own origin, and asks for the person's own PIN if the gateway
 * requires it. Responses are not validated: the gateway that served this page has the same version.
 * @throws ApiError if the gateway refused the request
 * @throws UnreachableError if the outcome is unknown
 */
export function call<Declaration extends CallOperation>(
  operation: Declaration,
  ...given: Given<InputOf<Declaration> & CallOptions>
): Promise<AnswerOf<Declaration>>;
export async function call(operation: CallOperation, input: object = {}): Promise<unknown> {
  try {
    return await send(operation, input);
  } catch (error) {
    if (hasErrorCode(error, "PIN_REQUIRED")) {
      return sendWithOwnPin((pin) => send(operation, input, pin), error);
    }
    throw error;
  }
}

/** @param pin the person's own PIN, for an operation that requires it again */
async function send(operation: CallOperation, input: object, pin?: string): Promise<unknown> {
  const { params, query, body, signal, timeoutMs = DEFAULT_TIMEOUT_MS }: Request = input;
  const timeout = AbortSignal.timeout(timeoutMs);
  let status: number;
  let text: string;
  try {
    const response = await fetch(addressOf(operation, params) + queryString(query), {
      method: operation.method,
      credentials: "same-origin",
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
      headers: {
        accept: "application/json",
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(pin !== undefined && { [OWN_PIN_HEADER]: pin }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    noteGatewayTime(response.headers.get("date"));
    status = response.status;
    text = await response.text();
  } catch (error) {
    if (signal?.aborted) {
      throw error;
    }
    throw new UnreachableError(error);
  }
  return readAnswer(status, text);
}

/** Follows an event stream until it is closed. */
export function openStream<Declaration extends StreamOperation>(
  operation: Declaration,
  ...given: Given<SentPart<Declaration, "params">>
): EventStream<Declaration>;
export function openStream(
  operation: StreamOperation,
  input: object = {},
): EventStream<StreamOperation> {
  const { params }: Request = input;
  const source = new EventSource(addressOf(operation, params));
  return {
    source,
    listen: (name, listener) => {
      source.addEventListener(name, ({ data }: MessageEvent<string>) => listener(JSON.parse(data)));
    },
  };
}

interface EventStream<Declaration extends StreamOperation> {
  readonly source: EventSource;
  readonly listen: <Name extends keyof Declaration["events"] & string>(
    name: Name,
    listener: (data: EventOf<Declaration, Name>) => void,
  ) => void;
}

function readAnswer(status: number, text: string): unknown {
  const answer = parseJson(text);
  if (status >= 200 && status < 300 && answer !== undefined) {
    return answer;
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

function queryString(query: Request["query"]): string {
  const given = Object.entries(query ?? {}).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  return given.length === 0 ? "" : `?${new URLSearchParams(given).toString()}`;
}
