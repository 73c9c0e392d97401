import { readNeeds } from "../../../../../server/contract/pos/approvals.ts";
import type { DiscountInput } from "../../../../../server/contract/pos/sale-lines.ts";
import { saleOperations } from "../../../../../server/contract/pos/sale-operations.ts";
import { ApiError, call } from "../../../../lib/api-client.ts";
import { type Approve, sendApproved } from "../../../../lib/approval-context.ts";

/** Nobody waits longer at the counter: what is not answered now is asked at the payment. */
const TIMEOUT_MS = 1_500;

/** That a discount may be given. */
interface DiscountAnswer {
  /** The approval that its line names; undefined where it takes none. */
  readonly approvalId: string | undefined;
  /** The line is sold for less than it costs the shop. */
  readonly belowCost: boolean;
}

/**
 * Asks for a discount as it is entered.
 * @returns undefined where nobody could be asked
 * @throws ApiError when it takes an approval that was not given
 */
export async function approveDiscount(
  approve: Approve,
  input: DiscountInput,
): Promise<DiscountAnswer | undefined> {
  if (input.discount === 0) {
    return undefined;
  }
  let belowCost = false;
  try {
    return await sendApproved(approve, input.saleId, async (approvalId) => {
      if (approvalId === undefined) {
        try {
          const asked = { body: input, timeoutMs: TIMEOUT_MS };
          const allowed = await call(saleOperations.checkDiscount, asked);
          belowCost = allowed.belowCost;
        } catch (error) {
          belowCost = needsBelowCost(error);
          throw error;
        }
      }
      return { approvalId, belowCost };
    });
  } catch (error) {
    if (error instanceof ApiError && error.errorCode === "APPROVAL_REQUIRED") {
      throw error;
    }
    return undefined;
  }
}

function needsBelowCost(error: unknown): boolean {
  const needs = error instanceof ApiError ? readNeeds(error.fields.needs ?? "") : [];
  return needs.some(({ right }) => right === "belowCost");
}
