import type { Environment } from "../../contract/common.ts";
import type { Family } from "../../contract/pos/families.ts";

/** What the client knows of a purchase it sent. */
export interface SentPurchase {
  environment: Environment;
  family: Family;
  body: { transactionId: string };
  /** Whether the client was told that it is accepted. */
  accepted: boolean;
}
