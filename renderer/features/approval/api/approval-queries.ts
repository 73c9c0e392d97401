import { queryOptions } from "@tanstack/react-query";
import {
  type Approval,
  type ApprovalInput,
  approvalOperations,
} from "../../../../server/contract/pos/approvals.ts";
import { type Need, writeNeeds } from "../../../../server/contract/pos/rights.ts";
import { call } from "../../../lib/api-client.ts";
import { operationQuery } from "../../../lib/operation-query.ts";

export function approversQuery(needs: readonly Need[]) {
  return queryOptions({
    ...operationQuery(approvalOperations.listApprovers, { query: { needs: writeNeeds(needs) } }),
    staleTime: 0,
  });
}

export function sendApproval(input: ApprovalInput): Promise<Approval> {
  return call(approvalOperations.approve, { body: input });
}
