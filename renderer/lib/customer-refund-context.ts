import { createContext, useContext } from "react";
import type { CustomerRefundInput, Sale } from "../../server/contract/pos/sales.ts";

/**
 * Books a customer refund of all that was not delivered of a sale, and resolves to the sale as it is then: by
 * the tenders the money came by, or all by this kind, which takes the right to pay out.
 * @throws ApiError when it was refused, UnreachableError when nobody answered; tried again, it is booked once
 */
export type BookCustomerRefund = (sale: Sale, kind?: CustomerRefundInput["kind"]) => Promise<Sale>;

export const CustomerRefundContext = createContext<BookCustomerRefund>(() =>
  Promise.reject(new Error("no customer refund can be booked outside the shop")),
);

export function useBookCustomerRefund(): BookCustomerRefund {
  return useContext(CustomerRefundContext);
}
