import { type Clock, SECOND } from "../lib/clock.ts";

export interface Reply {
  /** Method and path, for reports. */
  readonly request: string;
  readonly status: number;
  readonly headers: Headers;
  /** Content type; empty if there is none. */
  readonly type: string;
  readonly bytes: Buffer;
  /** The parsed JSON, or the text of another content. */
  // biome-ignore lint/suspicious/noExplicitAny: the checks read the answers of any gateway.
  readonly body: any;
}

export interface TargetOptions {
  /** Address with or without `/v1`. */
  readonly url: string;
  readonly key: string;
  /** True if the environment delivers nothing real, so that recipients may be invented. */
  readonly isTest: boolean;
  readonly sells: boolean;
  /** Phone number in E.164 form that receives top-ups; undefined for none. */
  readonly recipient: string | undefined;
  readonly clock: Clock;
}

interface CallInit {
  readonly headers?: Record<string, string>;
  /** Sent as JSON, or unchanged if it is a text. */
  readonly body?: unknown;
  /** Replaces the key; an empty text sends none. */
  readonly key?: string;
}

const TIMEOUT_MS = 30 * SECOND;
const MAX_REPEATS = 20;
const TOO_MANY_REQUESTS = 429;

/** The tested gateway. Calls wait when the gateway limits their rate. */
export class Target {
  readonly options: TargetOptions;
  readonly #base: string;
  readonly #found = new Map<string, Promise<unknown>>();
  readonly #run: string;
  #ids = 0;

  constructor(options: TargetOptions) {
    this.options = options;
    this.#run = options.clock.now().toString(36);
    this.#base = options.url.replace(/\/+$/, "").replace(/\/v1$/, "");
  }

  /** Returns a transaction id that no other run uses. */
  createId(ending = ""): string {
    this.#ids += 1;
    return `conformance-${this.#run}-${this.#ids}${ending}`;
  }

  pause(milliseconds: number): Promise<void> {
    const { clock } = this.options;
    return new Promise((resolve) => {
      clock.wakeAt(clock.now() + milliseconds, resolve);
    });
  }

  /** Looks something up once per run. */
  find<T>(name: string, look: () => Promise<T>): Promise<T> {
    const found = (this.#found.get(name) as Promise<T> | undefined) ?? look();
    this.#found.set(name, found);
    return found;
  }

  get(path: string, init?: CallInit): Promise<Reply> {
    return this.call("GET", path, init);
  }

  post(path: string, body?: unknown): Promise<Reply> {
    return this.call("POST", path, { body });
  }

  /** @param path path below `/v1`, or a complete address of the gateway */
  async call(method: string, path: string, init: CallInit = {}): Promise<Reply> {
    for (let repeat = 0; ; repeat++) {
      const reply = await this.#send(method, path, init);
      if (reply.status !== TOO_MANY_REQUESTS || repeat === MAX_REPEATS) return reply;
      await this.pause(Number(reply.headers.get("retry-after") ?? 1) * SECOND);
    }
  }

  async #send(method: string, path: string, { headers, body, key }: CallInit): Promise<Reply> {
    const isFull = path.startsWith("http");
    const sentKey = key ?? this.options.key;
    const response = await fetch(isFull ? path : `${this.#base}/v1${path}`, {
      method,
      redirect: "manual",
      signal: AbortSignal.timeout(TIMEOUT_MS),
      headers: {
        ...(sentKey !== "" && { authorization: `Bearer ${sentKey}` }),
        ...(body !== undefined && { "content-type": "application/json" }),
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) }),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const type = response.headers.get("content-type") ?? "";
    const request = `${method} ${path}`;
    const parsed = parse(bytes.toString("utf8"));
    return {
      request,
      status: response.status,
      headers: response.headers,
      type,
      bytes,
      body: parsed,
    };
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
