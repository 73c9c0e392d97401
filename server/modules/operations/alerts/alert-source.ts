import type { Environment } from "../../../contract/common.ts";
import type {
  ALERT_CAUSES,
  AlertFacts,
  AlertKind,
  AlertLevel,
} from "../../../contract/pos/alerts.ts";
import type { Shop } from "../../shop/shop/index.ts";
import type { StoredAlert } from "./alert-store.ts";

/** What a source is told of the shop, and of the moment. */
export interface Watch {
  readonly accountId: string;
  readonly now: number;
  readonly shop: Shop;
  /** Where the tills sell. */
  readonly selling: Environment;
  /** Live always, for money there goes on; test only while the tills sell there. */
  readonly watched: readonly Environment[];
  /** The open alerts of the source's kind: what opens at one value may resolve at another. */
  readonly open: readonly StoredAlert[];
}

/** A problem that exists now, with a cause of its kind. */
export interface Finding<Kind extends AlertKind = AlertKind> {
  /** Undefined for what is of the whole shop. */
  readonly environment: Environment | undefined;
  /** Which one of its kind; empty where there is one of the kind. */
  readonly subject: string;
  readonly cause: (typeof ALERT_CAUSES)[Kind][number];
  readonly level: AlertLevel;
  /** A silence ends when this is another. */
  readonly mark: string;
  readonly facts: AlertFacts;
}

/**
 * Finds what is the matter of one kind, from what is written already: cheaply, by an index, however many
 * years a shop has sold (rules#alert-derived). What it does not find any more is resolved.
 */
export interface AlertSource<Kind extends AlertKind = AlertKind> {
  readonly kind: Kind;
  /** The least time between two looks; each round where it is left out. */
  readonly every_ms?: number;
  find(watch: Watch): Promise<Finding<Kind>[]>;
}
