import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { ApprovalContext, type ApprovalRequest } from "../../lib/approval-context.ts";
import { ApprovalDialog } from "./approval-dialog.tsx";

interface Asked {
  readonly request: ApprovalRequest;
  readonly answer: (approvalId: string | undefined) => void;
}

/** Lets any screen below ask for an approval. One is asked for at a time; a lock counts as a refusal. */
export function ApprovalProvider({ children }: { readonly children: ReactNode }) {
  const [asked, setAsked] = useState<Asked>();
  const open = useRef<Asked>(undefined);

  const answer = useCallback((approvalId: string | undefined) => {
    open.current?.answer(approvalId);
    open.current = undefined;
    setAsked(undefined);
  }, []);
  const approve = useCallback(
    (request: ApprovalRequest) =>
      new Promise<string | undefined>((resolve) => {
        open.current?.answer(undefined);
        open.current = { request, answer: resolve };
        setAsked(open.current);
      }),
    [],
  );
  useEffect(() => () => open.current?.answer(undefined), []);

  return (
    <ApprovalContext value={approve}>
      {children}
      {asked ? <ApprovalDialog request={asked.request} onAnswer={answer} /> : null}
    </ApprovalContext>
  );
}
