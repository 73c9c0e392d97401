import type { Environment } from "../../../../../server/contract/common.ts";

/**
 * A held sale that is being taken up. The gateway takes it out of its list with the answer, so this is
 * stored before the request: after a power cut the till asks again under the same ids, and gets the
 * same basket. It is forgotten once the basket is stored as a sale (rules#held-sale).
 */
export interface PendingResume {
  readonly heldSaleId: string;
  readonly resumeId: string;
  /** The sale it becomes. */
  readonly saleId: string;
  readonly staffId: string;
  readonly environment: Environment;
  readonly training?: boolean;
  readonly windowId?: string;
}

const STORAGE_KEY = "tillgate.resumes";

export function listPendingResumes(): PendingResume[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? stored.filter(isPending) : [];
  } catch {
    return [];
  }
}

/** Over what was stored for the same basket before. */
export function savePendingResume(pending: PendingResume): void {
  store([...others(pending.heldSaleId), pending]);
}

export function forgetPendingResume(heldSaleId: string): void {
  store(others(heldSaleId));
}

function others(heldSaleId: string): PendingResume[] {
  return listPendingResumes().filter((pending) => pending.heldSaleId !== heldSaleId);
}

function store(list: readonly PendingResume[]): void {
  localStorage.setItem(STORAGE_KEY, JSON.stringify(list));
}

function isPending(value: unknown): value is PendingResume {
  return (
    typeof value === "object" && value !== null && "heldSaleId" in value && "resumeId" in value
  );
}
