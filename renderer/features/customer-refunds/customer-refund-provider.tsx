import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import { useApproval } from "../../lib/approval-context.ts";
import {
  type BookCustomerRefund,
  CustomerRefundContext,
} from "../../lib/customer-refund-context.ts";
import { statusQuery } from "../../lib/pos-queries.ts";
import { bookCustomerRefund } from "./book-customer-refund.ts";

/** Lets any screen below book a customer refund; where it takes an approval, that is asked for. */
export function CustomerRefundProvider({ children }: { readonly children: ReactNode }) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const book = useCallback<BookCustomerRefund>(
    (sale, kind) => {
      const tenders = queryClient.getQueryData(statusQuery().queryKey)?.tenders;
      return bookCustomerRefund(sale, kind, { approve, tenders });
    },
    [approve, queryClient],
  );
  return <CustomerRefundContext value={book}>{children}</CustomerRefundContext>;
}
