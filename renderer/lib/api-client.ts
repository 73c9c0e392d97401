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

/** A value as it may be sent: nothing of it is changed, and what is undefined is left out. */
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

/** What an operation is asked with. */
export type InputOf<Declaration extends Operation> = SentPart<Declaration, "params"> &
  SentPart<Declaration, "query"> &
  SentPart<Declaration, "body">;

interface CallOptions {
  readonly signal?: AbortSignal;
  readonly timeoutMs?: number;
}

/** The arguments of an operation, which are none where nothing has to be given. */
export type Given<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

const DEFAULT_TIMEOUT_MS = 10_000;

/** An operation's input and options as they are written into a request. */
interface Request extends CallOptions {
  readonly params?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | undefined>>;
  readonly body?: unknown;
}

/**
 * The one door to the gateway, on the page's own origin. Throws `ApiError` when the gateway
 * refused and `UnreachableError` when nobody can tell what became of the request.
 *
 * Here, and nowhere else, an answer gets its type: the gateway has served this page, writes answers
 * by the operation's own schema and is of the same version, so they are not checked again.
 *
 * Where the gateway asks for the person's own PIN, it is asked for on the screen, and sent with the same request.
 */
export function call<Declaration extends CallOperation>(
  operation: Declaration,
  ...given: Given<InputOf<Declaration> & CallOptions>
): Promise<AnswerOf<Declaration>>;
export async function call(operation: CallOperation, input: object = {}): Promise<unknown> {
  try {
    return await send(operation, input);
  } catch (error) {
    if (error instanceof ApiError && error.errorCode === "PIN_REQUIRED") {
      return sendWithOwnPin((pin) => send(operation, input, pin), error);
    }
    throw error;
  }
}

/** @param pin the person's own, for an operation that asks for it again */
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

/**
 * Follows a stream of events, until it is closed. The data of each event has the type that the
 * operation declares for it, as an answer has.
 */
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

/** A stream that is open, and what is called with the data of its events. */
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
