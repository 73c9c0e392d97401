import type { Environment } from "../../contract/common.ts";
import type { Family } from "../../contract/pos/families.ts";

/** The client's knowledge of its purchase. */
export interface SentPurchase {
  environment: Environment;
  family: Family;
  body: { transactionId: string };
  /** True if the client received its acceptance. */
  accepted: boolean;
}
