import type { Environment } from "../../contract/common.ts";

/** As their paths name them. */
export const FAMILIES = ["topups", "vouchers", "esim", "billpay"] as const;
export type Family = (typeof FAMILIES)[number];

/** What the client knows of a purchase it sent. */
export interface SentPurchase {
  environment: Environment;
  family: Family;
  body: { transactionId: string };
  /** Whether the client was told that it is accepted. */
  accepted: boolean;
}
