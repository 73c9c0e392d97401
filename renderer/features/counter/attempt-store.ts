import type { Environment } from "../../../server/contract/common.ts";
import type { SaleInput } from "../../../server/contract/pos/sales.ts";
import { ApiError } from "../../lib/api-client.ts";
import { fromEarlierShape } from "./attempt-migration.ts";
import { type AttemptLine, lineInput } from "./line-item.ts";

/**
 * One attempt to sell, with ids that never change (product lesson 4). It is stored when the
 * confirm step of its first line opens, so before the first send. With `confirmedAt` the clerk
 * has taken the money: from then on it is sent, with `input` unchanged, until the gateway has
 * answered.
 */
export interface Attempt {
  readonly saleId: string;
  readonly environment: Environment;
  readonly staffId: string;
  readonly openedAt: number;
  /** At least one. */
  readonly lines: readonly AttemptLine[];
  /** The line the confirm step stands open for; undo takes it back. */
  readonly openLine?: string;
  readonly confirmedAt?: number;
  readonly input?: SaleInput;
  /** The gateway said no after the money was taken: it is never sent again, only handed back. */
  readonly refusal?: Refusal;
}

/** What an `ApiError` says, as it can be stored. */
type Refusal = Pick<ApiError, "status" | "errorCode" | "message" | "fields">;

/** An attempt that is being sent, or was. */
export type ConfirmedAttempt = Attempt & Required<Pick<Attempt, "confirmedAt" | "input">>;

export function isConfirmed(attempt: Attempt): attempt is ConfirmedAttempt {
  return attempt.input !== undefined && attempt.confirmedAt !== undefined;
}

const STORAGE_KEY = "tillgate.attempts";

/** Attempts that were not finished, oldest first; those of an earlier version in today's shape. */
export function listAttempts(): Attempt[] {
  try {
    const stored = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "[]") as unknown;
    return Array.isArray(stored) ? stored.map(fromEarlierShape).filter(isAttempt) : [];
  } catch {
    return [];
  }
}

/** Those that were paid and not answered for, or refused and not handed back, oldest first. */
export function listConfirmedAttempts(): ConfirmedAttempt[] {
  return listAttempts().filter(isConfirmed);
}

/** Those that were paid and are sent until they are answered, oldest first. */
export function listUnsentAttempts(): ConfirmedAttempt[] {
  return listConfirmedAttempts().filter(({ refusal }) => refusal === undefined);
}

/** Keeps what the gateway said, so that nothing sends it again, also after a restart. */
export function refuseAttempt(attempt: ConfirmedAttempt, error: ApiError): void {
  const { status, errorCode, message, fields } = error;
  saveAttempt({ ...attempt, refusal: { status, errorCode, message, fields } });
}

/** Why it was refused, if it was. */
export function refusalOf({ refusal }: Attempt): ApiError | undefined {
  if (refusal === undefined) {
    return undefined;
  }
  const { status, errorCode, message, fields } = refusal;
  return new ApiError(status, errorCode, message, { ...fields });
}

function isAttempt(value: unknown): value is Attempt {
  return (
    typeof value === "object" &&
    value !== null &&
    "saleId" in value &&
    "lines" in value &&
    Array.isArray(value.lines) &&
    value.lines.length > 0
  );
}

/** Stores an attempt under its sale id, over what was stored under it before. */
export function saveAttempt(attempt: Attempt): void {
  const others = listAttempts().filter(({ saleId }) => saleId !== attempt.saleId);
  localStorage.setItem(STORAGE_KEY, JSON.stringify([...others, attempt]));
}

export function removeAttempt(saleId: string): void {
  const others = listAttempts().filter((attempt) => attempt.saleId !== saleId);
  localStorage.setItem(STORAGE_KEY, JSON.stringify(others));
}

/** The attempt with everything that will be sent, fixed from here on. */
export function confirmAttempt(
  attempt: Attempt,
  tenders: SaleInput["tenders"],
  now: number,
): ConfirmedAttempt {
  return {
    ...attempt,
    confirmedAt: now,
    input: {
      saleId: attempt.saleId,
      environment: attempt.environment,
      lines: attempt.lines.map(lineInput),
      tenders,
    },
  };
}

/** The same with the approval it takes; nothing else of what is sent changes. */
export function withApproval(attempt: ConfirmedAttempt, approvalId: string): ConfirmedAttempt {
  return { ...attempt, input: { ...attempt.input, approvalId } };
}
