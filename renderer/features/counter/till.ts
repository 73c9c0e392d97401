import type { Environment } from "../../../server/contract/common.ts";

/** Who sells at this till, and where. */
export interface Till {
  readonly staffId: string;
  readonly environment: Environment;
  readonly currency: string;
  readonly currencyDivisor: number;
}
