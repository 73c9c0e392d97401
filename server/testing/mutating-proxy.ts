import { EventEmitter, once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** Names and list indexes from the root of a JSON body to a field. */
type FieldPath = readonly (string | number)[];

interface FieldMutation {
  readonly kind: FieldMutationKind;
  readonly path: FieldPath;
}

type AnswerMutation =
  /** Sends half of the body, then closes the connection. */
  | { readonly kind: "TRUNCATE" }
  /** Closes the connection without a response, after the upstream has received the request. */
  | { readonly kind: "CUT" }
  /** Sends the honest response after the gateway's timeout. */
  | { readonly kind: "DELAY" }
  /** Sends the record in an earlier state, without the fields of later states. */
  | { readonly kind: "STALE"; readonly state: string }
  /** Sends the honest response in another encoding, size or nesting. */
  | { readonly kind: "REFORM"; readonly form: AnswerForm }
  /** Sends this response instead. If `isForwarded`, the upstream receives the request. */
  | {
      readonly kind: "ANSWER";
      readonly status: number;
      readonly isForwarded: boolean;
      readonly retryAfter?: string;
      readonly body?: unknown;
    };

export type Mutation = FieldMutation | AnswerMutation;

type Json = unknown;
type JsonObject = Record<string, Json>;

const ZERO_TIME = "0001-01-01T00:00:00Z";

/**
 * Returns the changed value of a field by the kind of mutation; undefined if the kind does not
 * apply to the value.
 */
const VALUE_CHANGES = {
  NULL: (value: Json) => (value === null ? undefined : null),
  ZERO: (value: Json) => zeroOf(value),
  ZERO_TIME: (value: Json) => (isTime(value) ? ZERO_TIME : undefined),
  RETYPE: (value: Json) => retyped(value),
  TO_OBJECT: (value: Json) => (isObject(value) ? [value] : { value }),
  TO_LIST: (value: Json) => (Array.isArray(value) ? { list: value } : [value]),
  UPPER_CASE: (value: Json) => changedText(value, (text) => text.toUpperCase()),
  LOWER_CASE: (value: Json) => changedText(value, (text) => text.toLowerCase()),
  SPACES: (value: Json) => changedText(value, (text) => `  ${text} `),
  OVERLONG: (value: Json) => changedText(value, () => "x".repeat(20_000)),
  FRACTION: (value: Json) => (typeof value === "number" ? value + 0.5 : undefined),
  NEGATIVE: (value: Json) => (typeof value === "number" && value > 0 ? -value : undefined),
  HUGE_NUMBER: (value: Json) => (typeof value === "number" ? 1e300 : undefined),
  NUMBER_TEXT: (value: Json) => (typeof value === "number" ? `${value}.00` : undefined),
  CONTROL_CHARACTERS: (value: Json) => changedText(value, (text) => `\u001b@${text}\u0000\u202e`),
  /** EPOCH_TIME and LOCAL_TIME state the same time in another format. */
  EPOCH_TIME: (value: Json) => (isTime(value) ? Date.parse(String(value)) : undefined),
  LOCAL_TIME: (value: Json) =>
    isTime(value) ? String(value).replace("T", " ").replace(/\..*/, "") : undefined,
  OFFSET_TIME: (value: Json) => (isTime(value) ? atOffset(String(value)) : undefined),
  IMPOSSIBLE_TIME: (value: Json) => (isTime(value) ? "2026-02-30T25:61:00Z" : undefined),
  DEEP: (value: Json) => nested(value, 200),
} as const satisfies Record<string, (value: Json) => Json>;

const NAME_CHANGES = {
  OMIT: () => undefined,
  RENAME: (name: string) => `${name}Renamed`,
  RECASE_NAME: (name: string) => name.toUpperCase(),
  SNAKE_NAME: (name: string) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
} as const satisfies Record<string, (name: string) => string | undefined>;

type FieldMutationKind = keyof typeof VALUE_CHANGES | keyof typeof NAME_CHANGES;

const NAME_KINDS = Object.keys(NAME_CHANGES) as (keyof typeof NAME_CHANGES)[];
const VALUE_KINDS = Object.keys(VALUE_CHANGES) as (keyof typeof VALUE_CHANGES)[];

/**
 * Lists all mutations of a single field, including nested fields and fields of a list's first item.
 */
export function listFieldMutations(recorded: Json): FieldMutation[] {
  return pathsOf(recorded, []).flatMap((path) =>
    [...NAME_KINDS, ...VALUE_KINDS].flatMap((kind) => {
      const mutation = { kind, path };
      const changed = mutateField(recorded, mutation);
      return JSON.stringify(changed) === JSON.stringify(recorded) ? [] : mutation;
    }),
  );
}

/**
 * Returns a copy of a response with one field changed. A response without this field is unchanged.
 */
export function mutateField(body: Json, { kind, path }: FieldMutation): Json {
  const [head, ...rest] = path;
  if (head === undefined) return body;
  if (Array.isArray(body)) {
    return body.map((item, index) =>
      index === head ? mutateField(item, { kind, path: rest }) : item,
    );
  }
  if (!isObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).flatMap(([name, value]) => {
      if (name !== head) return [[name, value]];
      if (rest.length > 0) return [[name, mutateField(value, { kind, path: rest })]];
      if (kind in NAME_CHANGES) {
        const renamed = NAME_CHANGES[kind as keyof typeof NAME_CHANGES](name);
        return renamed === undefined ? [] : [[renamed, value]];
      }
      const changed = VALUE_CHANGES[kind as keyof typeof VALUE_CHANGES](value);
      return [[name, changed === undefined ? value : changed]];
    }),
  );
}

/** Functions that encode a response as bytes: in other charsets, sizes and nestings. */
const FORMS = {
  BYTE_ORDER_MARK: (body: Json) => Buffer.from(`\uFEFF${JSON.stringify(body)}`),
  /** Latin 1's letters beyond ASCII are invalid in UTF-8. */
  LATIN_1: (body: Json) => Buffer.from(withAccents(body), "latin1"),
  UTF_16: (body: Json) => Buffer.from(JSON.stringify(body), "utf16le"),
  IN_OBJECT: (body: Json) => Buffer.from(JSON.stringify({ data: body })),
  IN_LIST: (body: Json) => Buffer.from(JSON.stringify([body])),
  AS_TEXT: (body: Json) => Buffer.from(JSON.stringify(JSON.stringify(body))),
  WEB_PAGE: () => Buffer.from("<!doctype html><title>Sign in to the Wi-Fi</title>"),
  EMPTY: () => Buffer.alloc(0),
  PADDED: (body: Json) => Buffer.from(" ".repeat(200_000) + JSON.stringify(body)),
  TOO_LARGE: (body: Json) =>
    Buffer.from(JSON.stringify({ ...(body as object), padding: "x".repeat(20_000_000) })),
  STATUS_TWICE: (body: Json) =>
    Buffer.from(JSON.stringify(body).replace(/^\{/, '{"status":"IN_PROGRESS",')),
} as const satisfies Record<string, (body: Json) => Buffer>;

type AnswerForm = keyof typeof FORMS;

export const REFORMED: readonly Mutation[] = (Object.keys(FORMS) as AnswerForm[]).map((form) => ({
  kind: "REFORM",
  form,
}));

function withAccents(body: Json): string {
  return JSON.stringify({ note: "Cobán", ...(body as object) });
}

/** Returns a record in an earlier state. A body without a `status` is unchanged. */
function toEarlierState(body: Json, state: string): Json {
  if (!isObject(body) || body.status === undefined) return body;
  const { confirmation: _, receipt: __, error: ___, ...rest } = body;
  return { ...rest, status: state };
}

function atOffset(time: string): string {
  const hours = 2;
  const local = new Date(Date.parse(time) + hours * 3_600_000).toISOString();
  return local.replace("Z", `+0${hours}:00`);
}

function nested(value: Json, levels: number): Json {
  let inner = value;
  for (let level = 0; level < levels; level++) inner = { value: inner };
  return inner;
}

export function describeMutation(mutation: Mutation): string {
  if ("path" in mutation) return `${mutation.kind} ${mutation.path.join(".")}`;
  if (mutation.kind === "REFORM") return mutation.form;
  if (mutation.kind === "STALE") return `STALE ${mutation.state}`;
  if (mutation.kind !== "ANSWER") return mutation.kind;
  const { status, retryAfter, isForwarded } = mutation;
  const wait = retryAfter === undefined ? "" : ` Retry-After ${retryAfter}`;
  return `${status}${wait} ${isForwarded ? "after" : "instead of"} the upstream`;
}

function pathsOf(value: Json, path: FieldPath): FieldPath[] {
  if (Array.isArray(value)) return value.length === 0 ? [] : pathsOf(value[0], [...path, 0]);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const own = [...path, name];
    return [own, ...pathsOf(inner, own)];
  });
}

function isObject(value: Json): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isTime(value: Json): boolean {
  return typeof value === "string" && /^\d{4}-\d{2}-\d{2}T/.test(value);
}

function zeroOf(value: Json): Json {
  if (typeof value === "string") return "";
  if (typeof value === "number") return 0;
  if (typeof value === "boolean") return false;
  if (Array.isArray(value)) return [];
  return isObject(value) ? {} : undefined;
}

function retyped(value: Json): Json {
  if (typeof value === "number" || typeof value === "boolean") return String(value);
  if (typeof value === "string") return /^\d{1,15}$/.test(value) ? Number(value) : 7;
  return value === null ? 0 : JSON.stringify(value);
}

function changedText(value: Json, change: (text: string) => string): Json {
  return typeof value === "string" && value !== "" ? change(value) : undefined;
}

export interface ProxiedExchange {
  readonly method: string;
  readonly path: string;
  readonly sent: Json;
}

export interface MutatingProxy {
  readonly url: string;
  /**
   * Returns the mutation of an exchange, or undefined for the honest response. Tests replace this
   * function.
   */
  choose: (exchange: ProxiedExchange) => Mutation | undefined;
  onAnswer: (exchange: ProxiedExchange, answer: { status: number; body: Json }) => void;
  readonly forwarded: Map<string, number>;
  held(): Promise<void>;
  /** Resolves when the gateway has timed out on all delayed responses. */
  givenUp(): Promise<void>;
  close(): Promise<void>;
}

/**
 * Starts a proxy that mutates the upstream's responses.
 * @param upstream returns the honest upstream's address; called for each request
 */
export async function startMutatingProxy(upstream: () => string): Promise<MutatingProxy> {
  const forwarded = new Map<string, number>();
  const delayed = new Set<ServerResponse>();
  const changes = new EventEmitter();

  async function until(condition: () => boolean): Promise<void> {
    while (!condition()) await once(changes, "change");
  }

  function hold(response: ServerResponse, answer: Reply): void {
    delayed.add(response);
    response.on("close", () => {
      // Replies after the gateway's timeout.
      reply(response, answer);
      delayed.delete(response);
      changes.emit("change");
    });
    changes.emit("change");
  }

  const server = createServer((request, response) => {
    handle(request, response).catch((error: unknown) => response.destroy(error as Error));
  });

  async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString("utf8");
    const method = request.method ?? "GET";
    const path = request.url ?? "/";
    const exchange = { method, path, sent: parse(text) };
    const mutation = proxy.choose(exchange);
    if (mutation?.kind === "ANSWER" && !mutation.isForwarded) return reply(response, mutation);
    const key = `${method} ${path}`;
    forwarded.set(key, (forwarded.get(key) ?? 0) + 1);
    const { authorization = "" } = request.headers;
    const json = text !== "";
    const honest = await fetch(upstream() + path, {
      method,
      headers: { authorization, ...(json && { "content-type": "application/json" }) },
      ...(json && { body: text }),
    });
    const answer = { status: honest.status, body: parse(await honest.text()) };
    proxy.onAnswer(exchange, answer);
    if (mutation === undefined) return reply(response, answer);
    if ("path" in mutation) {
      return reply(response, { ...answer, body: mutateField(answer.body, mutation) });
    }
    switch (mutation.kind) {
      case "CUT":
        request.socket.destroy();
        return;
      case "DELAY":
        return hold(response, answer);
      case "TRUNCATE":
        return truncate(response, answer);
      case "STALE":
        return reply(response, { ...answer, body: toEarlierState(answer.body, mutation.state) });
      case "REFORM":
        response.writeHead(answer.status, { "content-type": "application/json" });
        response.end(FORMS[mutation.form](answer.body));
        return;
      case "ANSWER":
        return reply(response, mutation);
    }
  }

  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  const { port } = server.address() as AddressInfo;
  const proxy: MutatingProxy = {
    url: `http://127.0.0.1:${port}`,
    choose: () => undefined,
    onAnswer: () => {},
    forwarded,
    held: () => until(() => delayed.size > 0),
    givenUp: () => until(() => delayed.size === 0),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
  return proxy;
}

interface Reply {
  readonly status: number;
  readonly body?: Json;
  readonly retryAfter?: string;
}

function reply(response: ServerResponse, { status, body, retryAfter }: Reply): void {
  response.writeHead(status, {
    "content-type": "application/json",
    ...(retryAfter !== undefined && { "retry-after": retryAfter }),
  });
  response.end(body === undefined ? "" : JSON.stringify(body));
}

function truncate(response: ServerResponse, { status, body }: Reply): void {
  const text = JSON.stringify(body ?? {});
  response.writeHead(status, {
    "content-type": "application/json",
    "content-length": Buffer.byteLength(text),
  });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
}

function parse(text: string): Json {
  try {
    return text === "" ? undefined : JSON.parse(text);
  } catch {
    return undefined;
  }
}
