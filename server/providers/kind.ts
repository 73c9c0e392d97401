import type { CatalogContent, Section } from "../contract/catalog-content.ts";
import type { UpstreamSyncReport } from "../contract/pos/upstream.ts";
import type { Unit } from "../lib/money.ts";
import type { Provider, ProviderFault } from "./provider.ts";
import type { ProviderConnection } from "./provider-call.ts";

/** A provider's balance, and the deviations of the response. */
export interface BalanceAnswer {
  balance: {
    /** In minor units by ISO 4217; undefined if unreadable. */
    available: number | undefined;
    /** The stated currency; undefined if absent. */
    currency: string | undefined;
  };
  noted: string[];
  /** The provider's clock minus ours; undefined if the response has no Date header. */
  clockDifference_ms: number | undefined;
}

/** A catalog in the format of `/v1`. Its items are not checked yet. */
export type StatedCatalog = Partial<Record<Section, unknown[]>>;

export interface CatalogReading {
  catalog: StatedCatalog;
  /** Unreadable parts, whose stored items stay in the catalog. */
  unread: { part: string; reason: string }[];
}

export interface FetchedCatalog extends CatalogReading {
  deviations: NonNullable<UpstreamSyncReport["deviations"]>;
}

export interface CatalogContext {
  /** The unit of cost and price in our catalog. */
  wallet: Unit;
  /** Reads the active catalog, for parts that cannot be read. */
  readStored(): Promise<CatalogContent>;
  /** Deviations that belong to the report of this reading. */
  noted: readonly string[];
}

/**
 * A kind of provider: the protocol that a provider speaks. Every request to a provider goes through
 * its kind. Requests throw `ProviderUnreached`, `ProviderUnclear` or `ProviderRefusal`, whose
 * messages contain no secrets.
 */
export interface ProviderKind {
  /** Returns the base address for a typed one, without parts that the kind adds to each request. */
  tidyUrl(typed: string): string;
  /** Returns whether the provider sells nothing real through this connection. */
  isTest(connection: ProviderConnection): boolean;
  open(connection: ProviderConnection, report: (fault: ProviderFault) => Promise<void>): Provider;
  /** @param currency of a balance without a stated currency */
  queryBalance(connection: ProviderConnection, currency: string): Promise<BalanceAnswer>;
  hasOffers(connection: ProviderConnection): Promise<boolean>;
  readCatalog(connection: ProviderConnection, context: CatalogContext): Promise<FetchedCatalog>;
}
