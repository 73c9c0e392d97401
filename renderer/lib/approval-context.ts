import { createContext, useContext } from "react";
import { type Need, readNeeds } from "../../server/contract/pos/rights.ts";
import { ApiError } from "./api-client.ts";

export interface ApprovalRequest {
  /** Id of the subject, such as the sale's. */
  readonly subject: string;
  /** Digest of the refused request: the approval is valid only for it. */
  readonly requestDigest: string;
  /** Facts of the request for people, as the gateway read them. */
  readonly facts: string;
  readonly needs: readonly Need[];
  /** Figure up to which the signed-in person may do the first of the needs alone. */
  readonly allowed?: number | undefined;
}

/**
 * Requests an approval at this till; resolves to its id, or undefined if it was not given. Nobody is signed
 * out, and the screen below keeps its state.
 */
export type Approve = (request: ApprovalRequest) => Promise<string | undefined>;

export const ApprovalContext = createContext<Approve>(() => Promise.resolve(undefined));

export function useApproval(): Approve {
  return useContext(ApprovalContext);
}

/** Returns the approval that a refused request needs; undefined if a permission was not the reason. */
function neededApproval(error: unknown, subject: string): ApprovalRequest | undefined {
  if (!(error instanceof ApiError) || error.errorCode !== "APPROVAL_REQUIRED") {
    return undefined;
  }
  const { needs = "", requestDigest = "", facts = "{}", allowed } = error.fields;
  const figure = allowed === undefined ? undefined : Number(allowed);
  return { subject, requestDigest, facts, needs: readNeeds(needs), allowed: figure };
}

/**
 * Sends a request that may need a permission, and if the gateway requires an approval, repeats it with the
 * approval's id and no other change.
 * @throws the error of `send`; the refusal itself if nobody approved
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
