import type { UpstreamSyncReport } from "../../../contract/pos/upstream.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Log } from "../../../lib/log.ts";
import type { Unit } from "../../../lib/money.ts";
import type { UpstreamConnection } from "../../../providers/upstream/upstream-call.ts";
import { UpstreamMoved, UpstreamReader } from "../../../providers/upstream/upstream-pages.ts";
import type { CatalogContent } from "../../catalog/catalog/index.ts";
import { type CatalogReading, readUpstreamCatalog } from "./catalog-reading.ts";

/** Maximum number of readings if the catalog changes during each reading. */
const READINGS = 3;
/** Maximum number of different deviations in the log. */
const UNKNOWN_LOGGED = 1000;
const MAX_DEVIATIONS = 1000;

export interface FetchedCatalog extends CatalogReading {
  deviations: NonNullable<UpstreamSyncReport["deviations"]>;
}

export class CatalogFetcher {
  readonly #deps: { clock: Clock; log: Log };
  readonly #noted = new Set<string>();

  constructor(deps: { clock: Clock; log: Log }) {
    this.#deps = deps;
  }

  /**
   * @param readStored reads the active catalog
   * @throws errors of the reader
   */
  async fetch(
    connection: UpstreamConnection,
    wallet: Unit,
    readStored: () => Promise<CatalogContent>,
    noted: readonly string[] = [],
  ): Promise<FetchedCatalog> {
    for (let reading = 1; ; reading++) {
      try {
        const isLastReading = reading === READINGS;
        const reader = new UpstreamReader(connection, this.#deps.clock, isLastReading);
        const deviations = new Deviations();
        for (const what of noted) deviations.note(what);
        const { catalog, unread } = await readUpstreamCatalog(reader, {
          wallet,
          readStored,
          note: deviations.note,
          isLastReading,
        });
        this.#logOnce(deviations.list().map(({ what }) => what));
        return { catalog, unread, deviations: deviations.list() };
      } catch (error) {
        if (!(error instanceof UpstreamMoved) || reading === READINGS) throw error;
      }
    }
  }

  #logOnce(unknown: readonly string[]): void {
    const fresh = unknown.filter((what) => !this.#noted.has(what));
    if (fresh.length === 0 || this.#noted.size >= UNKNOWN_LOGGED) return;
    for (const what of fresh) this.#noted.add(what);
    this.#deps.log.warn({ deviations: fresh }, "the upstream deviates from the contract");
  }
}

class Deviations {
  readonly #found = new Map<string, { what: string; count: number; example: string }>();

  readonly note = (what: string, example = ""): void => {
    const found = this.#found.get(what) ?? { what, count: 0, example: example.slice(0, 128) };
    found.count++;
    if (this.#found.size < MAX_DEVIATIONS) this.#found.set(what, found);
  };

  list() {
    return [...this.#found.values()];
  }
}
