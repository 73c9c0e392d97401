import { createContext, useContext } from "react";
import type { CustomerRefundInput, Sale } from "../../server/contract/pos/sales.ts";
import { isTypingText, shortcutOf } from "./key-edge.ts";
import { runScreenCommand } from "./screen-commands.ts";
import { useScreenKeys } from "./use-screen-keys.ts";

/**
 * Refunds all undelivered lines of a sale by the tenders of the payment, or only by `kind`, which
 * requires the permission to pay out. Repeats book the refund only once.
 * @returns the updated sale
 * @throws ApiError if the gateway refused the refund, UnreachableError without a response
 */
export type BookCustomerRefund = (sale: Sale, kind?: CustomerRefundInput["kind"]) => Promise<Sale>;

export const CustomerRefundContext = createContext<BookCustomerRefund>(() =>
  Promise.reject(new Error("no customer refund can be booked outside the shop")),
);

export function useBookCustomerRefund(): BookCustomerRefund {
  return useContext(CustomerRefundContext);
}

/** Handles Alt+G on a screen without its own table of keys. */
export function useCustomerRefundKey(): void {
  useScreenKeys((event) => {
    if (!event.repeat && shortcutOf(event) === "KeyG" && !isTypingText(event)) {
      event.preventDefault();
      runScreenCommand("customer-refund");
    }
  });
}
