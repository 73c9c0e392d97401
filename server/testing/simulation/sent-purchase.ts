import type { Environment } from "../../contract/common.ts";
import { FAMILIES } from "../../contract/pos/families.ts";
import { FAMILY_FACTS } from "../../contract/v1/family-facts.ts";

/** What a family is called in paths. */
export type FamilyPath = (typeof FAMILY_FACTS)[keyof typeof FAMILY_FACTS]["path"];
export const FAMILY_PATHS: readonly FamilyPath[] = FAMILIES.map(
  (family) => FAMILY_FACTS[family].path,
);

/** What the client knows of a purchase it sent. */
export interface SentPurchase {
  environment: Environment;
  /** As its path names it. */
  family: FamilyPath;
  body: { transactionId: string };
  /** Whether the client was told that it is accepted. */
  accepted: boolean;
}
