import { type Static, Type } from "typebox";
import { Input, MinorAmount, TransactionId } from "../common.ts";
import { ApprovalId, ClientId } from "./client-id.ts";
import { NamedTender, TenderKind } from "./tenders.ts";

/**
 * `POST /pos/sales/{saleId}/customer-refunds`: a customer refund. The money of lines that were not delivered
 * was handed back, what the customer paid for each, once. Answers with the sale as it then stands; the
 * same refund again changes nothing. It goes the way it came, as the sale's `refundTenders` say, or
 * by `kind` alone. It takes the right `customerRefund`, and `payOut` too for what goes by a kind beyond what
 * the sale took by it and has not handed back (rules#customer-refund-as-it-came).
 */
export const CustomerRefundInput = Input({
  customerRefundId: ClientId,
  lines: Type.Array(TransactionId, { minItems: 1, maxItems: 20, uniqueItems: true }),
  kind: Type.Optional(TenderKind),
  approvalId: ApprovalId,
});
export type CustomerRefundInput = Static<typeof CustomerRefundInput>;

/** The part of a customer refund that goes back by one tender. */
export const CustomerRefundTender = Type.Object({ ...NamedTender, amount: MinorAmount });
export type CustomerRefundTender = Static<typeof CustomerRefundTender>;
