import { queryOptions } from "@tanstack/react-query";
import {
  type Approval,
  type ApprovalInput,
  type Need,
  writeNeeds,
} from "../../../server/contract/pos/approvals.ts";
import type { StaffNames } from "../../../server/contract/pos/staff.ts";
import { request } from "../../lib/api-client.ts";

/** Who could approve this. */
export function approversQuery(needs: readonly Need[]) {
  const text = writeNeeds(needs);
  return queryOptions({
    queryKey: ["approvers", text],
    queryFn: ({ signal }) =>
      request<StaffNames>("GET", "/pos/approvers", { query: { needs: text }, signal }),
    staleTime: 0,
  });
}

export function sendApproval(input: ApprovalInput): Promise<Approval> {
  return request<Approval>("POST", "/pos/approvals", { body: input });
}
