import type { CatalogContent } from "../../../contract/catalog-content.ts";
import {
  decodeScope,
  decodeSubject,
  encodeScope,
  encodeSubject,
} from "../../../jobs/job-subject.ts";
import type { Log } from "../../../lib/log.ts";
import type { Unit } from "../../../lib/money.ts";
import type { FetchedCatalog } from "../../../providers/kind.ts";
import { FIRST_PROVIDER } from "../../../providers/supply.ts";
import type { StoredConnection } from "./connection-rules.ts";
import type { ProviderRef } from "./upstream-store.ts";

export const SYNC_JOB = "upstream.sync";

/** Returns the subject of a provider's sync job. That of the first provider has no provider. */
export function toSyncSubject(ref: ProviderRef): string {
  return ref.providerId === FIRST_PROVIDER ? encodeScope(ref) : encodeSubject(ref, ref.providerId);
}

/** @throws RangeError for a text not written by `toSyncSubject` */
export function readSyncSubject(subject: string): ProviderRef {
  if (subject.split("/").length === 2) {
    return { ...decodeScope(subject), providerId: FIRST_PROVIDER };
  }
  const { scope, id: providerId } = decodeSubject(subject);
  return { ...scope, providerId };
}

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
