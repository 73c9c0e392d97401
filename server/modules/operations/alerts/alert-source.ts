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
  /**
   * Checked environments: live always, because its money is real; test only while the tills sell in
   * test.
   */
  readonly watched: readonly Environment[];
  /** Open alerts of this kind, for sources that open and resolve at different thresholds. */
  readonly open: readonly StoredAlert[];
}

export interface Finding<Kind extends AlertKind = AlertKind> {
  /** The environment of the problem; undefined for a problem of the whole shop. */
  readonly environment: Environment | undefined;
  /** Distinguishes problems of the same kind; empty for a kind with a single problem. */
  readonly subject: string;
  readonly cause: (typeof ALERT_CAUSES)[Kind][number];
  readonly level: AlertLevel;
  /** Text that changes with the problem. A silenced alert then becomes visible again. */
  readonly mark: string;
  readonly facts: AlertFacts;
}

/**
 * Finds present problems of a kind in stored data, by index queries (rules#alert-derived). The
 * alert of a problem that is no longer found is resolved.
 */
export interface AlertSource<Kind extends AlertKind = AlertKind> {
  readonly kind: Kind;
  /** Minimum interval between two calls of `find`; undefined for a call at every check. */
  readonly every_ms?: number;
  find(watch: Watch): Promise<Finding<Kind>[]>;
}
