import type { Environment } from "../../../../../server/contract/common.ts";
import type { ShopTender } from "../../../../../server/contract/pos/shop-tenders.ts";

export type TillPlace = Pick<Till, "staffId" | "environment" | "training">;

export interface Till {
  readonly staffId: string;
  readonly environment: Environment;
  /**
   * True in training. Training sales are separate from other sales, even in the test environment.
   */
  readonly training: boolean;
  readonly currency: string;
  readonly currencyDivisor: number;
  /** Multiple to which cash is rounded, in minor units; 0 for no rounding. */
  readonly cashStep: number;
  /** In the shop's order. */
  readonly tenders: readonly ShopTender[];
  /** ISO 3166-1 alpha-2 code of the shop's country; empty if unknown. */
  readonly country: string;
  /** Code of the customer display. Undefined if the till has none. */
  readonly display?: string | undefined;
}
