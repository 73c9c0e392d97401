import { type Static, Type } from "typebox";
import { Input, TransactionId } from "../common.ts";
import { ApprovalId, ClientId } from "./client-id.ts";
import { TenderKind } from "./tenders.ts";

/**
 * `POST /pos/sales/{saleId}/give-backs`: the money of lines that were not delivered was handed back,
 * what the customer paid for each, once. Answers with the sale as it then stands; the same give-back
 * again changes nothing. It takes the right `giveBack`, and `payOut` too where nothing of the sale was
 * paid by that `kind`.
 */
export const GiveBackInput = Input({
  giveBackId: ClientId,
  lines: Type.Array(TransactionId, { minItems: 1, maxItems: 20, uniqueItems: true }),
  kind: TenderKind,
  approvalId: ApprovalId,
});
export type GiveBackInput = Static<typeof GiveBackInput>;
