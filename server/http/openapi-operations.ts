/** Each operation in a sentence, where its route says no more than its name. */
const OPERATION_WORDS: Readonly<Record<string, string>> = {
  listBrands: "By code; with `country`, those that sell something there.",
  getBrand: "With its pictures, and what the fields that its offers require are called.",
  listTopupOffers: "Newest first, then by id. Offers that are not enabled are in it too.",
  getTopupOffer: "As it is priced now, for this gateway's shop.",
  listVoucherOffers: "Newest first, then by id. Offers that are not enabled are in it too.",
  getVoucherOffer: "As it is priced now, for this gateway's shop.",
  listEsimOffers: "Newest first, then by id; a regional plan has no country.",
  getEsimOffer: "As it is priced now, for this gateway's shop.",
  listBillPayOffers: "Newest first, then by id. Offers that are not enabled are in it too.",
  getBillPayOffer: "As it is priced now, for this gateway's shop.",
  listTopupPurchases: "Newest first, then by id; the till's own sales are among them.",
  getTopupPurchase: "Poll it until its status is DONE or FAILED, or wait for the webhook.",
  listVoucherPurchases: "Newest first, then by id; the till's own sales are among them.",
  getVoucherPurchase: "Poll it until its status is DONE or FAILED; DONE has the receipt.",
  listEsimPurchases: "Newest first, then by id; the till's own sales are among them.",
  getEsimPurchase: "Poll it until its status is DONE or FAILED; DONE has what a phone needs.",
  listBillPayPurchases: "Newest first, then by id; the till's own sales are among them.",
  getBillPayPurchase: "Poll it until its status is DONE or FAILED, or wait for the webhook.",
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
