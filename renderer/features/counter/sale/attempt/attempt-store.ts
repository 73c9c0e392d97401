import type { Environment } from "../../../../../server/contract/common.ts";
import type { SaleInput } from "../../../../../server/contract/pos/sales.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { hasKeys, keep, readJson } from "../../../../lib/browser-storage.ts";
import { isOfThisWindow, takePlaceOf, windowId } from "../../../../lib/this-window.ts";
import { type AttemptLine, lineInput } from "./line-item.ts";
import type { TillPlace } from "./till.ts";

/**
 * One attempt to sell, with ids that never change (rules#idempotency-attempt-stored). It is stored
 * when the first confirm step opens, before any request. `confirmedAt` is set when the clerk has
 * taken the money. From then on, `input` is sent unchanged until the gateway answers.
 */
export interface Attempt {
  readonly saleId: string;
  readonly environment: Environment;
  /**
   * True if started in training. In a shop in the test environment, only this flag distinguishes
   * training from sales.
   */
  readonly training?: boolean;
  readonly staffId: string;
  readonly openedAt: number;
  readonly lines: readonly AttemptLine[];
  /** The line in the confirm step, which undo removes. */
  readonly openLine?: string;
  /**
   * Ids of requests to hold this sale. One without an answer may have left a held copy, which is
   * deleted after the sale is sold or held.
   */
  readonly heldAs?: readonly string[];
  readonly confirmedAt?: number;
  readonly input?: SaleInput;
  /**
   * Set if the gateway refused the sale after the clerk took the money. The sale is never sent
   * again, only refunded.
   */
  readonly refusal?: Refusal;
}

type Refusal = Pick<ApiError, "status" | "errorCode" | "message" | "fields">;

export type ConfirmedAttempt = Attempt & Required<Pick<Attempt, "confirmedAt" | "input">>;

export function isConfirmed<A extends Attempt>(attempt: A): attempt is A & ConfirmedAttempt {
  return attempt.input !== undefined && attempt.confirmedAt !== undefined;
}

/** Each attempt has its own entry, so that windows cannot overwrite each other's attempts. */
const KEY_PREFIX = "tillgate.attempt.";
/** Earlier versions stored all attempts in one entry. */
const EARLIER_KEY = "tillgate.attempts";

type StoredAttempt = Attempt & { readonly windowId?: string };

/** Oldest first. Attempts of earlier versions are converted. */
export function listAttempts(): StoredAttempt[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY_PREFIX));
  const stored = keys.map((key) => readJson(key));
  return [...listEarlier(), ...stored]
    .map(fromEarlierShape)
    .filter(isAttempt)
    .sort((one, other) => one.openedAt - other.openedAt);
}

function listEarlier(): unknown[] {
  const stored = readJson(EARLIER_KEY);
  return Array.isArray(stored) ? stored : [];
}

/** Returns whether this window made the attempt. Earlier versions stored no window id. */
export function isOwn({ windowId: id }: { readonly windowId?: string }): boolean {
  return isOfThisWindow(id);
}

/**
 * Moves the attempt to this window if its own window is closed.
 *
 */
export async function takeOver({ saleId, windowId: id }: StoredAttempt): Promise<boolean> {
  if (id === undefined || !(await takePlaceOf(id))) {
    return false;
  }
  const attempt = listAttempts().find((one) => one.saleId === saleId && one.windowId === id);
  if (attempt) {
    saveAttempt(attempt);
  }
  return attempt !== undefined;
}

/**
 * Returns whether the attempt was made by this person in this environment and mode. Attempts of
 * earlier versions store no mode, and match every mode.
 */
export function isAt(place: TillPlace, attempt: Partial<TillPlace>): boolean {
  const { staffId, environment, training = place.training } = attempt;
  return (
    staffId === place.staffId && environment === place.environment && training === place.training
  );
}

/**
 * Returns whether the paid sale belongs to this person and mode, in either environment: the gateway
 * answers for the sales that it has, and refuses others. Without a stored mode (earlier versions),
 * the environment must match.
 */
export function isPaidBy(place: TillPlace, attempt: Partial<TillPlace>): boolean {
  const { environment, training } = attempt;
  return training === undefined || environment === undefined
    ? isAt(place, attempt)
    : isAt({ ...place, environment }, attempt);
}

/** Paid attempts that are unanswered, or refused and not yet refunded. Oldest first. */
export function listConfirmedAttempts(): (ConfirmedAttempt & StoredAttempt)[] {
  return listAttempts().filter(isConfirmed);
}

/** Attempts that must be sent until the gateway answers. Oldest first. */
export function listUnsentAttempts(): (ConfirmedAttempt & StoredAttempt)[] {
  return listConfirmedAttempts().filter(({ refusal }) => refusal === undefined);
}

/** Returns whether this browser stores a paid sale of the person that was not sent. */
export function hasUnsent(place: TillPlace): boolean {
  return listUnsentAttempts().some((attempt) => isPaidBy(place, attempt));
}

/** Stores the refusal, so that the sale is never sent again, even after a restart. */
export function refuseAttempt(attempt: ConfirmedAttempt, error: ApiError): void {
  const { status, errorCode, message, fields } = error;
  saveAttempt({ ...attempt, refusal: { status, errorCode, message, fields } });
}

/** Returns the stored refusal; undefined if the gateway did not refuse the sale. */
export function refusalOf({ refusal }: Attempt): ApiError | undefined {
  if (refusal === undefined) {
    return undefined;
  }
  const { status, errorCode, message, fields } = refusal;
  return new ApiError(status, errorCode, message, { ...fields });
}

function isAttempt(value: unknown): value is Attempt {
  return hasKeys(value, "saleId", "lines") && Array.isArray(value.lines) && value.lines.length > 0;
}

/**
 * Replaces the stored attempt.
 * @throws StorageError if the browser cannot store it. The sale must then not be sent
 */
export function saveAttempt(attempt: Attempt): void {
  const stored: StoredAttempt = { ...attempt, windowId: windowId() };
  keep(KEY_PREFIX + attempt.saleId, JSON.stringify(stored));
  removeEarlier(attempt.saleId);
}

export function removeAttempt(saleId: string): void {
  localStorage.removeItem(KEY_PREFIX + saleId);
  removeEarlier(saleId);
}

function removeEarlier(saleId: string): void {
  const earlier = listEarlier();
  const others = earlier.filter((one) => (one as Attempt | null)?.saleId !== saleId);
  if (others.length < earlier.length) {
    localStorage.setItem(EARLIER_KEY, JSON.stringify(others));
  }
}

export function confirmAttempt(
  attempt: Attempt,
  paid: Pick<SaleInput, "tenders" | "cashRounding">,
  now: number,
): ConfirmedAttempt {
  return {
    ...attempt,
    confirmedAt: now,
    input: {
      saleId: attempt.saleId,
      environment: attempt.environment,
      ...(attempt.training !== undefined && { training: attempt.training }),
      lines: attempt.lines.map(lineInput),
      ...paid,
    },
  };
}

/**
 * Stores a refused payment as an open sale, so that a lock or a reload cannot send it without the
 * clerk. If the browser cannot store the open sale, deletes the payment.
 */
export function reopenAttempt(attempt: ConfirmedAttempt): void {
  const { confirmedAt: _, input: __, ...open } = attempt;
  try {
    saveAttempt(open);
  } catch {
    removeAttempt(attempt.saleId);
  }
}

export function withApproval(attempt: ConfirmedAttempt, approvalId: string): ConfirmedAttempt {
  return { ...attempt, input: { ...attempt.input, approvalId } };
}

/** Attempt of an earlier version, in which each sale was a single top-up for cash. */
interface EarlierAttempt {
  readonly saleId: string;
  readonly transactionId: string;
  readonly basket: object;
  readonly input?: { readonly lines: readonly object[]; readonly tender?: object };
}

/** Keeps the ids, so that a sale paid before an update is sold only once. */
function fromEarlierShape(stored: unknown): unknown {
  if (!isEarlier(stored)) {
    return stored;
  }
  const { transactionId, basket, input, ...rest } = stored;
  return {
    ...rest,
    lines: [{ transactionId, item: { productType: "TOPUP", ...basket } }],
    openLine: transactionId,
    ...(input && { input: inputOfToday(input) }),
  };
}

function inputOfToday({ tender, lines, ...rest }: NonNullable<EarlierAttempt["input"]>): object {
  return {
    ...rest,
    lines: lines.map((line) => ({ productType: "TOPUP", ...line })),
    tenders: tender ? [tender] : [],
  };
}

function isEarlier(value: unknown): value is EarlierAttempt {
  return hasKeys(value, "saleId", "transactionId", "basket") && typeof value.basket === "object";
}

/** Finds an unpaid sale of this window in the environment that the shop has left. */
export function findLeftBasket({ environment, ...who }: TillPlace): Attempt | undefined {
  const left: Environment = environment === "test" ? "live" : "test";
  // Training sales do not depend on the environment.
  return who.training
    ? undefined
    : listAttempts().find(
        (attempt) =>
          isOwn(attempt) && !isConfirmed(attempt) && isAt({ ...who, environment: left }, attempt),
      );
}
