import { type IncomingMessage, request } from "node:http";
import { OWN_PIN_HEADER } from "../contract/pos/operation.ts";

const GIVEN_PIN = "739154";

/** A response. If reading stopped early, `text` is the part that was read. */
export interface Reply {
  status: number;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test looks into whatever came back.
  body: any;
}

interface Asked {
  body?: unknown;
  headers?: Record<string, string>;
  /** Reading stops after this time without data. */
  quiet_ms?: number;
}

/** A browser or program that stores cookies and sends from one address. */
export class Visitor {
  readonly #url: string;
  readonly #from: string | undefined;
  readonly cookies = new Map<string, string>();
  /** PIN of the signed-in person, sent with every call because some operations require it. */
  #pin: string | undefined;

  /** @param from source address, if this machine has several */
  constructor(url: string, from?: string) {
    this.#url = url;
    this.#from = from;
  }

  async ask(method: string, path: string, asked: Asked = {}): Promise<Reply> {
    const json = asked.body === undefined ? undefined : JSON.stringify(asked.body);
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const sent = request(new URL(path, this.#url), {
        method,
        ...(this.#from !== undefined && { localAddress: this.#from }),
        // Uses no connection pool, so that the connection closes when the visitor stops reading.
        ...(asked.quiet_ms !== undefined && { agent: false }),
        headers: {
          ...(cookie !== "" && { cookie }),
          ...(json !== undefined && { "content-type": "application/json" }),
          ...asked.headers,
        },
      });
      sent.once("response", resolve).once("error", reject).end(json);
    });
    for (const set of response.headers["set-cookie"] ?? []) {
      const [name = "", value = ""] = (set.split(";", 1)[0] ?? "").split("=", 2);
      if (value === "") this.cookies.delete(name);
      else this.cookies.set(name, value);
    }
    const text = await readText(response, asked.quiet_ms);
    const isJson = response.headers["content-type"]?.includes("json");
    return { status: response.statusCode ?? 0, text, body: isJson ? JSON.parse(text) : undefined };
  }

  pos(method: string, path: string, body?: unknown): Promise<Reply> {
    const headers = this.#pin === undefined ? {} : { [OWN_PIN_HEADER]: this.#pin };
    return this.ask(method, `/pos${path}`, { headers, ...(body !== undefined && { body }) });
  }

  setUp(setup: { ownerPin: string } & Record<string, string>): Promise<Reply> {
    this.#pin = setup.ownerPin;
    return this.pos("POST", "/setup", setup);
  }

  async signIn(staffId: string, pin: string): Promise<Reply> {
    const reply = await this.pos("POST", "/session", { staffId, pin });
    if (reply.status === 200) this.#pin = pin;
    return reply;
  }

  /**
   * Hires a person, who chooses a PIN in a separate browser.
   * @returns the person's id
   */
  async hire({ pin, ...person }: { name: string; role: string; pin: string }): Promise<string> {
    const added = await this.pos("POST", "/staff", { ...person, pin: GIVEN_PIN });
    if (added.status !== 200) throw new Error(added.text);
    const { staffId } = added.body;
    const first = { staffId, pin: GIVEN_PIN, newPin: pin };
    const chosen = await new Visitor(this.#url).pos("POST", "/session", first);
    if (chosen.status !== 200) throw new Error(chosen.text);
    return staffId;
  }
}

async function readText(response: IncomingMessage, quiet_ms: number | undefined): Promise<string> {
  response.setEncoding("utf8");
  if (quiet_ms !== undefined) {
    response.socket.setTimeout(quiet_ms, () => response.destroy());
  }
  let text = "";
  try {
    for await (const chunk of response) text += String(chunk);
  } catch (error) {
    if (quiet_ms === undefined) throw error;
  }
  return text;
}
