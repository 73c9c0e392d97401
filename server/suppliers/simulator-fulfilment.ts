import type { Fulfilment } from "../contract/v1/fulfilment.ts";
import { toTimestamp } from "../lib/clock.ts";
import { SUPPLIED_FAMILIES } from "./families/index.ts";
import { digestOf, digitsOf } from "./order-digest.ts";
import type { Order } from "./supplier.ts";

/** What the sandbox provider hands over; `fulfilledAt` in milliseconds. */
export function fulfilmentOf(order: Order, fulfilledAt: number): Fulfilment {
  const digest = digestOf(order);
  const confirmation = {
    confirmationNumber: digitsOf(digest, 0, 15),
    externalReferenceId: `SIM-${digest.toString("hex", 6, 12).toUpperCase()}`,
    transactionTime: toTimestamp(fulfilledAt),
  };
  const family = SUPPLIED_FAMILIES[order.offer.productType];
  return { confirmation, ...family.simulate(order, digest, confirmation) };
}
