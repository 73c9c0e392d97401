import type { ApprovalRequest, Approve } from "../../lib/approval-context.ts";

interface Asked {
  readonly request: ApprovalRequest;
  readonly answer: (approvalId: string | undefined) => void;
}

/** The open approval request, if any. A new request refuses the previous one. */
export class OpenApproval {
  #asked: Asked | undefined;
  readonly #listeners = new Set<() => void>();

  readonly ask: Approve = (request) => {
    this.#asked?.answer(undefined);
    return new Promise((answer) => this.#set({ request, answer }));
  };

  /**
   * Ends the open request.
   * @param approvalId undefined if the approval was refused
   */
  readonly answer = (approvalId: string | undefined): void => {
    this.#asked?.answer(approvalId);
    this.#set(undefined);
  };

  readonly request = (): ApprovalRequest | undefined => this.#asked?.request;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  #set(asked: Asked | undefined): void {
    this.#asked = asked;
    for (const listener of this.#listeners) {
      listener();
    }
  }
}
