import type { Clock } from "../../lib/clock.ts";
import type { Log } from "../../lib/log.ts";
import type { UpstreamConnection } from "../../suppliers/upstream/upstream-call.ts";
import { UpstreamMoved, UpstreamReader } from "../../suppliers/upstream/upstream-pages.ts";
import { readUpstreamCatalog, type UpstreamCatalog } from "./catalog-reading.ts";

/** A catalog that changes while it is read is read again, so many times in all. */
const READINGS = 3;
/** More than any gateway adds: beyond it nothing more is worth a line of the log. */
const UNKNOWN_LOGGED = 1000;

/** Reads an upstream's catalog as a whole. */
export class CatalogFetcher {
  readonly #deps: { clock: Clock; log: Log };
  /** What was not understood and stands in the log already. */
  readonly #noted = new Set<string>();

  constructor(deps: { clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /** @throws what the reader throws; UpstreamMoved where it never stands still */
  async fetch(connection: UpstreamConnection, currency: string): Promise<UpstreamCatalog> {
    for (let reading = 1; ; reading++) {
      try {
        const reader = new UpstreamReader(connection, this.#deps.clock);
        const unknown = new Set<string>();
        const catalog = await readUpstreamCatalog(reader, currency, (what) => unknown.add(what));
        this.#logOnce([...unknown]);
        return catalog;
      } catch (error) {
        if (!(error instanceof UpstreamMoved) || reading === READINGS) throw error;
      }
    }
  }

  /** Fields and values that the upstream has and we do not: tolerated, and said once. */
  #logOnce(unknown: readonly string[]): void {
    const fresh = unknown.filter((what) => !this.#noted.has(what));
    if (fresh.length === 0 || this.#noted.size >= UNKNOWN_LOGGED) return;
    for (const what of fresh) this.#noted.add(what);
    this.#deps.log.warn({ unknown: fresh }, "the upstream says what this version does not know");
  }
}
