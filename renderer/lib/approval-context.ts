import { createContext, useContext } from "react";
import { type Need, readNeeds } from "../../server/contract/pos/rights.ts";
import { ApiError } from "./api-client.ts";

/** What a person is asked to approve. */
export interface ApprovalRequest {
  /** The id of what is done, such as the sale's. */
  readonly subject: string;
  /** What the gateway calls the request: the approval is for that and nothing else. */
  readonly requestDigest: string;
  /** What the request says to people, as the gateway read it. */
  readonly facts: string;
  readonly needs: readonly Need[];
  /** Up to which figure the person signed in may do the first of the needs by themselves. */
  readonly allowed?: number | undefined;
}

/**
 * Asks for an approval in place, and resolves to its id, or to undefined when it was not given.
 * Nobody is signed out meanwhile, and nothing on the screen below is lost.
 */
export type Approve = (request: ApprovalRequest) => Promise<string | undefined>;

export const ApprovalContext = createContext<Approve>(() => Promise.resolve(undefined));

export function useApproval(): Approve {
  return useContext(ApprovalContext);
}

/** What a refused request would need, or undefined when it was not refused for want of a right. */
function neededApproval(error: unknown, subject: string): ApprovalRequest | undefined {
  if (!(error instanceof ApiError) || error.errorCode !== "APPROVAL_REQUIRED") {
    return undefined;
  }
  const { needs = "", requestDigest = "", facts = "{}", allowed } = error.fields;
  const figure = allowed === undefined ? undefined : Number(allowed);
  return { subject, requestDigest, facts, needs: readNeeds(needs), allowed: figure };
}

/**
 * Does something that may take a right: once as it is, and where the gateway says that it takes an
 * approval, again with the id of one. What is sent again has to be the same but for that id.
 * @throws what `send` threw; the refusal itself when nobody approved
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
