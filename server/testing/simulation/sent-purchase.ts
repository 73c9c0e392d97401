import type { Environment } from "../../contract/common.ts";
import type { Family } from "../../contract/pos/families.ts";

export interface SentPurchase {
  environment: Environment;
  family: Family;
  body: { transactionId: string };
  accepted: boolean;
}
