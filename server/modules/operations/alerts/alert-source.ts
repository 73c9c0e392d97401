import type { Environment } from "../../../contract/common.ts";
import type {
  ALERT_CAUSES,
  AlertFacts,
  AlertKind,
  AlertLevel,
} from "../../../contract/pos/alerts.ts";
import type { Shop } from "../../shop/shop/index.ts";
import type { StoredAlert } from "./alert-store.ts";

export interface Watch {
  readonly accountId: string;
  readonly now: number;
  readonly shop: Shop;
  readonly selling: Environment;
  /** Always live, because its money is real; test only while the tills sell there. */
  readonly watched: readonly Environment[];
  /** Open alerts of the source's kind, for separate thresholds of opening and resolving. */
  readonly open: readonly StoredAlert[];
}

/** A present problem. */
export interface Finding<Kind extends AlertKind = AlertKind> {
  /** Undefined for a problem of the whole shop. */
  readonly environment: Environment | undefined;
  /** Distinguishes problems of one kind; empty if the kind has one only. */
  readonly subject: string;
  readonly cause: (typeof ALERT_CAUSES)[Kind][number];
  readonly level: AlertLevel;
  /** A change of the mark ends a silence. */
  readonly mark: string;
  readonly facts: AlertFacts;
}

/**
 * Finds present problems of one kind in stored data, with index queries whose cost does not grow over the years
 * (rules#alert-derived). Problems that it no longer finds are resolved.
 */
export interface AlertSource<Kind extends AlertKind = AlertKind> {
  readonly kind: Kind;
  /** Minimum interval; without it, every check. */
  readonly every_ms?: number;
  find(watch: Watch): Promise<Finding<Kind>[]>;
}
