import { type Static, type TSchema, Type } from "typebox";
import { type Clock, SECOND } from "../../lib/clock.ts";
import { callUpstream, type UpstreamConnection, UpstreamRefusal } from "./upstream-call.ts";

const Page = Type.Object({
  total: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
  list: Type.Array(Type.Unknown(), { maxItems: 1024 }),
});

const ITEMS_PER_PAGE = 1024;
const LONGEST_PAGE_BYTES = 16 * 1024 * 1024;
const WHOLE_TIMEOUT_MS = 60 * SECOND;
const TRIES = 5;

/** The list changed while it was read: what was read is of two different moments. */
export class UpstreamMoved extends Error {}

/** Reads what an upstream lists. Asked to slow down, it does. */
export class UpstreamReader {
  readonly #connection: UpstreamConnection;
  readonly #clock: Clock;

  constructor(connection: UpstreamConnection, clock: Clock) {
    this.#connection = connection;
    this.#clock = clock;
  }

  async read<Schema extends TSchema>(schema: Schema, path: string): Promise<Static<Schema>> {
    const request = {
      method: "GET" as const,
      path,
      timeout_ms: WHOLE_TIMEOUT_MS,
      longest_bytes: LONGEST_PAGE_BYTES,
    };
    for (let tries = 1; ; tries++) {
      try {
        return await callUpstream(this.#connection, schema, request, this.#clock);
      } catch (error) {
        const busy = error instanceof UpstreamRefusal && error.errorCode === "RATE_LIMITED";
        if (!busy || tries === TRIES) throw error;
        await this.#rest(error.retryAfter_ms ?? SECOND);
      }
    }
  }

  /**
   * Every item of a list, page by page.
   * @throws UpstreamMoved when the pages do not fit together
   */
  async readAll(path: string, idOf: string, query = ""): Promise<unknown[]> {
    const items: unknown[] = [];
    for (let total: number | undefined; total === undefined || items.length < total; ) {
      const page = await this.read(
        Page,
        `${path}?_limit=${ITEMS_PER_PAGE}&_offset=${items.length}${query}`,
      );
      total ??= page.total;
      const stuck = page.list.length === 0 && items.length < total;
      if (page.total !== total || stuck) throw new UpstreamMoved(`${path} changed meanwhile`);
      items.push(...page.list);
    }
    // One that has no id is for the catalog to leave out by itself.
    const ids = items.flatMap((item) => (item as Record<string, unknown> | null)?.[idOf] ?? []);
    if (new Set(ids).size !== ids.length) throw new UpstreamMoved(`${path} changed meanwhile`);
    return items;
  }

  #rest(pause_ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#clock.wakeAt(this.#clock.now() + pause_ms, resolve);
    });
  }
}
