import { Type } from "typebox";
import { FAMILY_FACTS } from "../../contract/pos/families.ts";
import { type Clock, SECOND } from "../../lib/clock.ts";
import { isTestKey } from "../../lib/test-key.ts";
import { CatalogDeviations } from "../catalog-deviations.ts";
import type { BalanceAnswer, CatalogContext, FetchedCatalog, ProviderKind } from "../kind.ts";
import type { Provider, ProviderFault } from "../provider.ts";
import { type ProviderConnection, ProviderRefusal, ProviderUnclear } from "../provider-call.ts";
import { readUpstreamCatalog } from "./catalog-reading.ts";
import { isRecord, readBalance, readList } from "./stated-values.ts";
import { callUpstream } from "./upstream-call.ts";
import { UpstreamMoved, UpstreamReader } from "./upstream-pages.ts";
import { UpstreamProvider } from "./upstream-provider.ts";

const TIMEOUT_MS = 20 * SECOND;
/** Maximum number of readings if the catalog changes during each reading. */
const READINGS = 3;

/** Any gateway that serves `/v1`. */
export class GatewayKind implements ProviderKind {
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  tidyUrl(typed: string): string {
    return typed.replace(/\/v1$/, "").replace(/\/+$/, "");
  }

  isTest({ key }: ProviderConnection): boolean {
    return isTestKey(key);
  }

  open(connection: ProviderConnection, report: (fault: ProviderFault) => Promise<void>): Provider {
    return new UpstreamProvider({ clock: this.#clock, connection, report });
  }

  async queryBalance(connection: ProviderConnection, currency: string): Promise<BalanceAnswer> {
    let date: string | string[] | undefined;
    const stated: unknown = await this.#get(connection, "/balance", (headers) => {
      date = headers.date;
    });
    const theirs = Date.parse(String(date));
    // Rounded down like the Date header, which has whole seconds.
    const now = Math.floor(this.#clock.now() / SECOND) * SECOND;
    const noted: string[] = [];
    const balance = readBalance(stated, currency, (what) => noted.push(what));
    return { balance, noted, clockDifference_ms: Number.isNaN(theirs) ? undefined : theirs - now };
  }

  /** Returns whether any family has offers. An unreadable family counts as empty. */
  async hasOffers(connection: ProviderConnection): Promise<boolean> {
    for (const { path } of Object.values(FAMILY_FACTS)) {
      const first = this.#get(connection, `/${path}/offers?_limit=1&_offset=0`);
      const page: unknown = await first.catch((error: unknown) => {
        if (error instanceof ProviderRefusal || error instanceof ProviderUnclear) return undefined;
        throw error;
      });
      if (isRecord(page) && readList(page.list).length > 0) return true;
    }
    return false;
  }

  async readCatalog(
    connection: ProviderConnection,
    { wallet, readStored, noted }: CatalogContext,
  ): Promise<FetchedCatalog> {
    for (let reading = 1; ; reading++) {
      try {
        const isLastReading = reading === READINGS;
        const reader = new UpstreamReader(connection, this.#clock, isLastReading);
        const deviations = new CatalogDeviations(noted);
        const { note } = deviations;
        const context = { wallet, readStored, note, isLastReading };
        const { catalog, unread } = await readUpstreamCatalog(reader, context);
        return { catalog, unread, deviations: deviations.list() };
      } catch (error) {
        if (!(error instanceof UpstreamMoved) || reading === READINGS) throw error;
      }
    }
  }

  #get(
    connection: ProviderConnection,
    path: string,
    onHeaders?: (headers: Record<string, string | string[] | undefined>) => void,
  ): Promise<unknown> {
    const request = { method: "GET", path, timeout_ms: TIMEOUT_MS } as const;
    const watched = { ...request, ...(onHeaders && { onHeaders }) };
    return callUpstream(connection, Type.Unknown(), watched, this.#clock);
  }
}
