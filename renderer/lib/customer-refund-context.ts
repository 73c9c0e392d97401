import { createContext, useContext } from "react";
import type { CustomerRefundInput, Sale } from "../../server/contract/pos/sales.ts";

/**
 * Books a customer refund of all undelivered lines of a sale, and resolves to the updated sale: by the
 * tenders of the payment, or all by this kind, which requires the permission to pay out.
 * @throws ApiError if it was refused, UnreachableError if there was no response; a repeat books it once
 */
export type BookCustomerRefund = (sale: Sale, kind?: CustomerRefundInput["kind"]) => Promise<Sale>;

export const CustomerRefundContext = createContext<BookCustomerRefund>(() =>
  Promise.reject(new Error("no customer refund can be booked outside the shop")),
);

export function useBookCustomerRefund(): BookCustomerRefund {
  return useContext(CustomerRefundContext);
}
