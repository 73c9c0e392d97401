import type { DiscountInput } from "../../../../server/contract/pos/sale-lines.ts";
import { type Approve, sendApproved } from "../../../components/approval/approval-context.ts";
import { ApiError, request } from "../../../lib/api-client.ts";

/** Nobody waits longer at the counter: what is not answered now is asked at the payment. */
const TIMEOUT_MS = 1_500;

/**
 * Asks for a discount as it is entered.
 * @returns the approval that its line names; undefined where it takes none, or nobody could be asked
 * @throws ApiError when it takes an approval that was not given
 */
export async function approveDiscount(
  approve: Approve,
  input: DiscountInput,
): Promise<string | undefined> {
  if (input.discount === 0) {
    return undefined;
  }
  try {
    return await sendApproved(approve, input.saleId, async (approvalId) => {
      if (approvalId === undefined) {
        await request("POST", "/pos/sales/discounts", { body: input, timeoutMs: TIMEOUT_MS });
      }
      return approvalId;
    });
  } catch (error) {
    if (error instanceof ApiError && error.errorCode === "APPROVAL_REQUIRED") {
      throw error;
    }
    return undefined;
  }
}
