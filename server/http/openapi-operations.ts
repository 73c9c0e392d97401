import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";

/** The operations that every family has, each in a sentence. */
const FAMILY_WORDS: readonly (readonly [operationId: string, words: string])[] = FAMILIES.flatMap(
  (family) => {
    const { name } = FAMILY_FACTS[family];
    return [
      [`list${name}Offers`, "Newest first, then by id. Offers that are not enabled are in it too."],
      [`get${name}Offer`, "As it is priced now, for this gateway's shop."],
      [`list${name}Purchases`, "Newest first, then by id; the till's own sales are among them."],
      [
        `get${name}Purchase`,
        "Poll it until its status is DONE or FAILED, or wait for the webhook.",
      ],
    ] as const;
  },
);

/**
 * Each operation in a sentence, where its route says no more than its name; one of a family where there
 * is more to say of it than of the others.
 */
const OPERATION_WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(FAMILY_WORDS),
  listBrands: "By code; with `country`, those that sell something there.",
  getBrand: "With its pictures, and what the fields that its offers require are called.",
  listEsimOffers: "Newest first, then by id; a regional plan has no country.",
  getVoucherPurchase: "Poll it until its status is DONE or FAILED; DONE has the receipt.",
  getEsimPurchase: "Poll it until its status is DONE or FAILED; DONE has what a phone needs.",
  getEsimRefund: "Poll it until its status is DONE or FAILED.",
  listEsimPlans: "As the provider says; one plan is active, the others wait in order.",
  listTransactions: "Every movement of the wallet, newest first, then by id.",
  getTransaction: "A purchase of any family, a recharge or a refund.",
  listPromos: "Newest first, then by id; the status follows from the dates.",
  getPromo: "In English; the list has other languages.",
  getTransactionReport: "Poll it, a second apart or more, until it is Ready or FAILED.",
};

/** @throws when an operation has no words at all: a new one is described before it is served. */
export function describeOperation(operation: { operationId?: string; description?: string }): void {
  const { operationId = "" } = operation;
  const words = operation.description ?? OPERATION_WORDS[operationId];
  if (!words) throw new Error(`describe in http/openapi-operations.ts: ${operationId}`);
  operation.description = words;
}
