import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useCallback } from "react";
import {
  type CustomerRefundInput,
  type Sale,
  saleOperations,
} from "../../../server/contract/pos/sales.ts";
import type { ShopTender } from "../../../server/contract/pos/shop-tenders.ts";
import { call, isRefusal } from "../../lib/api-client.ts";
import { type Approve, sendApproved, useApproval } from "../../lib/approval-context.ts";
import { readList } from "../../lib/browser-storage.ts";
import { type BookCustomerRefund, CustomerRefundContext } from "../../lib/customer-refund.ts";
import { drawerRequests } from "../../lib/listeners.ts";
import { newId } from "../../lib/new-id.ts";
import { statusQuery } from "../../lib/pos-queries.ts";
import { opensDrawer } from "../../lib/tender-name.ts";

const STORAGE_KEY = "tillgate.customer-refunds";

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

/**
 * Books the refund in the tenders of the payment. With `kind`, refunds only in that tender, which
 * requires the permission to pay out.
 */
async function bookCustomerRefund(
  sale: Sale,
  kind: CustomerRefundInput["kind"],
  { approve, tenders }: { approve: Approve; tenders: readonly ShopTender[] | undefined },
): Promise<Sale> {
  const lines = sale.lines
    .filter(({ outcome, refunded }) => outcome === "NOT_DELIVERED" && !refunded)
    .map(({ transactionId }) => transactionId);
  const customerRefundId = customerRefundIdOf(sale.saleId, [...lines, kind ?? ""], newId);
  try {
    const booked = await sendApproved(approve, sale.saleId, (approvalId) =>
      call(saleOperations.customerRefund, {
        params: { saleId: sale.saleId },
        body: {
          customerRefundId,
          lines,
          ...(kind && { kind }),
          ...(approvalId && { approvalId }),
        },
      }),
    );
    forgetCustomerRefund(customerRefundId);
    const ways = kind ? [{ kind }] : sale.refundTenders;
    if (ways.some((way) => opensDrawer(way, tenders))) {
      drawerRequests.notify({ reason: "CUSTOMER_REFUND", id: customerRefundId });
    }
    return booked;
  } catch (error) {
    if (isRefusal(error) && error.status !== 403) {
      forgetCustomerRefund(customerRefundId);
    }
    throw error;
  }
}

interface StoredCustomerRefund {
  readonly saleId: string;
  readonly customerRefundId: string;
  readonly lines: readonly string[];
}

/** Attempts with the same tender have the same id, and another tender has a new id. */
function customerRefundIdOf(saleId: string, lines: readonly string[], newId: () => string): string {
  const stored = list().find(
    (one) => one.saleId === saleId && one.lines.join() === lines.join(),
  )?.customerRefundId;
  const customerRefundId = stored ?? newId();
  if (!stored) {
    write([...list(), { saleId, customerRefundId, lines }]);
  }
  return customerRefundId;
}

/** Called after the gateway has booked or finally rejected the refund. */
function forgetCustomerRefund(customerRefundId: string): void {
  write(list().filter((one) => one.customerRefundId !== customerRefundId));
}

function list(): readonly StoredCustomerRefund[] {
  return readList<StoredCustomerRefund>(STORAGE_KEY);
}

function write(all: readonly StoredCustomerRefund[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(all));
}
