import { type ReactNode, useEffect, useState, useSyncExternalStore } from "react";
import { ApprovalContext } from "../../../lib/approval-context.ts";
import { OpenApproval } from "../open-approval.ts";
import { ApprovalDialog } from "./approval-dialog.tsx";

/** Lets any screen below ask for an approval. One is asked for at a time; a lock counts as a refusal. */
export function ApprovalProvider({ children }: { readonly children: ReactNode }) {
  const [open] = useState(() => new OpenApproval());
  const request = useSyncExternalStore(open.subscribe, open.request);
  useEffect(() => () => open.answer(undefined), [open]);
  return (
    <ApprovalContext value={open.ask}>
      {children}
      {request ? <ApprovalDialog request={request} onAnswer={open.answer} /> : null}
    </ApprovalContext>
  );
}
