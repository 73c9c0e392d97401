import { createContext, useContext } from "react";
import { type Need, readNeeds } from "../../server/contract/pos/rights.ts";
import { ApiError } from "./api-client.ts";

export interface ApprovalRequest {
  readonly subject: string;
  /** Digest of the refused request: the approval is valid only for this request. */
  readonly requestDigest: string;
  readonly facts: string;
  readonly needs: readonly Need[];
  /** Limit up to which the signed-in person needs no approval, for the first of the needs. */
  readonly allowed?: number | undefined;
}

/**
 * Requests an approval at this till. Resolves to the approval's id, or to undefined without an
 * approval. The clerk stays signed in.
 */
export type Approve = (request: ApprovalRequest) => Promise<string | undefined>;

export const ApprovalContext = createContext<Approve>(() => Promise.resolve(undefined));

export function useApproval(): Approve {
  return useContext(ApprovalContext);
}

function neededApproval(error: unknown, subject: string): ApprovalRequest | undefined {
  if (!(error instanceof ApiError) || error.errorCode !== "APPROVAL_REQUIRED") {
    return undefined;
  }
  const { needs = "", requestDigest = "", facts = "{}", allowed } = error.fields;
  const figure = allowed === undefined ? undefined : Number(allowed);
  return { subject, requestDigest, facts, needs: readNeeds(needs), allowed: figure };
}

/**
 * Sends a request that may need a permission. If the gateway requires an approval, repeats the
 * request with the approval's id and no other change.
 * @throws the error of `send`; without an approval, the refusal
 */
export async function sendApproved<T>(
  approve: Approve,
  subject: string,
  send: (approvalId: string | undefined) => Promise<T>,
): Promise<T> {
  try {
    return await send(undefined);
  } catch (error) {
    const request = neededApproval(error, subject);
    const approvalId = request && (await approve(request));
    if (approvalId === undefined) {
      throw error;
    }
    return send(approvalId);
  }
}
