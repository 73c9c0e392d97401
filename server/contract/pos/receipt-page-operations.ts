import { defineOperation, NOTHING } from "./operation.ts";
import {
  ReceiptLink,
  ReceiptLinkInput,
  ReceiptLinkParams,
  ReceiptLinks,
  ReceiptPageSettings,
  ReceiptSending,
  ReceiptSendingInput,
  ReceiptWays,
} from "./receipt-pages.ts";
import { SaleParams } from "./sales.ts";

/** Receipts as pages, and how customers get to them. */
export const receiptPageOperations = {
  getSettings: defineOperation({
    method: "GET",
    path: "/receipt-pages",
    answer: ReceiptPageSettings,
    access: "owner",
    refusals: [],
  }),
  setSettings: defineOperation({
    method: "PUT",
    path: "/receipt-pages",
    body: ReceiptPageSettings,
    answer: ReceiptPageSettings,
    access: "owner",
    refusals: [],
  }),
  ways: defineOperation({
    method: "GET",
    path: "/receipt-ways",
    answer: ReceiptWays,
    access: "seller",
    refusals: [],
  }),
  list: defineOperation({
    method: "GET",
    path: "/sales/:saleId/receipt-links",
    params: SaleParams,
    answer: ReceiptLinks,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
  make: defineOperation({
    method: "POST",
    path: "/sales/:saleId/receipt-links",
    params: SaleParams,
    body: ReceiptLinkInput,
    answer: ReceiptLink,
    access: "seller",
    rights: ["reprint", "reveal", "seeExpectedCash"],
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  send: defineOperation({
    method: "POST",
    path: "/sales/:saleId/receipt-sendings",
    params: SaleParams,
    body: ReceiptSendingInput,
    answer: ReceiptSending,
    access: "seller",
    rights: ["reprint", "reveal", "seeExpectedCash"],
    refusals: ["NOT_FOUND", "ID_TAKEN"],
  }),
  revoke: defineOperation({
    method: "DELETE",
    path: "/sales/:saleId/receipt-links/:linkId",
    params: ReceiptLinkParams,
    answer: NOTHING,
    access: "seller",
    refusals: ["NOT_FOUND"],
  }),
};
