import type { Fulfilment } from "../../contract/v1/fulfilment.ts";
import { withoutControls } from "../../lib/control-characters.ts";
import { SUPPLIED_FAMILIES } from "../families/index.ts";
import type { Order } from "../supplier.ts";
import { UpstreamUnclear } from "./upstream-call.ts";
import type { UpstreamPurchase } from "./upstream-records.ts";

/**
 * What an upstream handed over with an order it calls DONE.
 * @throws UpstreamUnclear when the buyer could do nothing with it
 */
export function readFulfilment(order: Order, said: UpstreamPurchase): Fulfilment {
  const record = {
    ...said,
    ...(said.confirmation && { confirmation: cleaned(said.confirmation) }),
    ...(said.receipt && { receipt: cleaned(said.receipt) }),
  };
  const given = record.confirmation;
  if (!given) throw new UpstreamUnclear("It says DONE and confirms nothing.");
  const confirmation = {
    confirmationNumber: given.confirmationNumber ?? "",
    externalReferenceId: given.externalReferenceId ?? "",
    transactionTime: given.transactionTime ?? record.updatedAt ?? "",
  };
  const family = SUPPLIED_FAMILIES[order.offer.productType];
  return { confirmation, ...family.readDelivered(order, record) };
}

/** It is printed, and shown by terminals. */
function cleaned<Part extends Record<string, unknown>>(part: Part): Part {
  const clean = (value: unknown) => (typeof value === "string" ? withoutControls(value) : value);
  return Object.fromEntries(
    Object.entries(part).map(([name, value]) => [name, clean(value)]),
  ) as Part;
}
