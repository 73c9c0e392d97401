import type { CatalogContent } from "../../../contract/catalog-content.ts";
import type { Log } from "../../../lib/log.ts";
import type { Unit } from "../../../lib/money.ts";
import type { FetchedCatalog } from "../../../providers/kind.ts";
import type { StoredConnection } from "./connection-rules.ts";

/** Maximum number of different deviations in the log. */
const UNKNOWN_LOGGED = 1000;

export class CatalogFetcher {
  readonly #log: Log;
  readonly #noted = new Set<string>();

  constructor({ log }: { log: Log }) {
    this.#log = log;
  }

  /**
   * @param readStored reads the active catalog
   * @throws errors of the provider's kind
   */
  async fetch(
    connection: StoredConnection,
    wallet: Unit,
    readStored: () => Promise<CatalogContent>,
    noted: readonly string[] = [],
  ): Promise<FetchedCatalog> {
    const context = { wallet, readStored, noted };
    const fetched = await connection.kind.readCatalog(connection, context);
    this.#logOnce(fetched.deviations.map(({ what }) => what));
    return fetched;
  }

  #logOnce(unknown: readonly string[]): void {
    const fresh = unknown.filter((what) => !this.#noted.has(what));
    if (fresh.length === 0 || this.#noted.size >= UNKNOWN_LOGGED) return;
    for (const what of fresh) this.#noted.add(what);
    this.#log.warn({ deviations: fresh }, "the upstream deviates from the contract");
  }
}
