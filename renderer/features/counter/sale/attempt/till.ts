import type { Environment } from "../../../../../server/contract/common.ts";

/** Whose a sale is that was begun here, and where it is sold. */
export type TillPlace = Pick<Till, "staffId" | "environment" | "training">;

/** Who sells at this till, and where. */
export interface Till {
  readonly staffId: string;
  readonly environment: Environment;
  /** Nothing is sold in earnest; what is begun so stays apart, in a shop of the test environment too. */
  readonly training: boolean;
  readonly currency: string;
  readonly currencyDivisor: number;
  /** Where the shop is: ISO 3166-1 alpha-2, empty where nothing says so. */
  readonly country: string;
}
