import type { Environment } from "../../../../../server/contract/common.ts";
import type { ShopTender } from "../../../../../server/contract/pos/shop-tenders.ts";

/** The person, place and mode of a sale that was begun here. */
export type TillPlace = Pick<Till, "staffId" | "environment" | "training">;

/** Who sells at this till, and where. */
export interface Till {
  readonly staffId: string;
  readonly environment: Environment;
  /** Training: a sale that is begun so stays apart, in a shop of the test environment too. */
  readonly training: boolean;
  readonly currency: string;
  readonly currencyDivisor: number;
  /** What cash is rounded to, minor units of the currency; 0 not at all. */
  readonly cashStep: number;
  /** The ways of paying that the shop names, in their order. */
  readonly tenders: readonly ShopTender[];
  /** Where the shop is: ISO 3166-1 alpha-2, empty where nothing says so. */
  readonly country: string;
  /** The code of the customer's display; absent where there is none. */
  readonly display?: string | undefined;
}
