import type { Environment } from "../../../../../server/contract/common.ts";
import type { SaleInput } from "../../../../../server/contract/pos/sales.ts";
import { ApiError } from "../../../../lib/api-client.ts";
import { keep } from "../../../../lib/browser-storage.ts";
import { isOfThisWindow, takePlaceOf, windowId } from "../../../../lib/this-window.ts";
import { type AttemptLine, lineInput } from "./line-item.ts";
import type { TillPlace } from "./till.ts";

/**
 * One attempt to sell, with ids that never change (rules#idempotency-attempt-stored). It is stored when
 * the confirm step of its first line opens, so before the first send. With `confirmedAt` the clerk has
 * taken the money: from then on it is sent, with `input` unchanged, until the gateway has answered.
 */
export interface Attempt {
  readonly saleId: string;
  readonly environment: Environment;
  /** Begun while training; in a shop of the test environment only this tells it apart. */
  readonly training?: boolean;
  readonly staffId: string;
  readonly openedAt: number;
  /** At least one. */
  readonly lines: readonly AttemptLine[];
  /** The line that the confirm step is open for; undo takes it back. */
  readonly openLine?: string;
  readonly confirmedAt?: number;
  readonly input?: SaleInput;
  /**
   * The gateway refused it after the money was taken: it is never sent again, only refunded to the
   * customer.
   */
  readonly refusal?: Refusal;
}

/** What an `ApiError` says, as it can be stored. */
type Refusal = Pick<ApiError, "status" | "errorCode" | "message" | "fields">;

/** An attempt that is being sent, or was. */
export type ConfirmedAttempt = Attempt & Required<Pick<Attempt, "confirmedAt" | "input">>;

export function isConfirmed<A extends Attempt>(attempt: A): attempt is A & ConfirmedAttempt {
  return attempt.input !== undefined && attempt.confirmedAt !== undefined;
}

/** One entry for each sale: two windows that store at once do not overwrite each other's. */
const KEY_PREFIX = "tillgate.attempt.";
/** All in one entry, as earlier versions stored them. */
const EARLIER_KEY = "tillgate.attempts";

/** An attempt and the window it was made in. */
type StoredAttempt = Attempt & { readonly windowId?: string };

/** Attempts of every window that were not finished, oldest first; those of an earlier version in today's shape. */
export function listAttempts(): StoredAttempt[] {
  const keys = Object.keys(localStorage).filter((key) => key.startsWith(KEY_PREFIX));
  const stored = keys.map((key) => readJson(localStorage.getItem(key)));
  return [...listEarlier(), ...stored]
    .map(fromEarlierShape)
    .filter(isAttempt)
    .sort((one, other) => one.openedAt - other.openedAt);
}

function listEarlier(): unknown[] {
  const stored = readJson(localStorage.getItem(EARLIER_KEY));
  return Array.isArray(stored) ? stored : [];
}

function readJson(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null") as unknown;
  } catch {
    return undefined;
  }
}

/** Made in this window, or before windows were told apart. */
export function isOwn({ windowId: id }: { readonly windowId?: string }): boolean {
  return isOfThisWindow(id);
}

/** Makes it this window's when the one that it was made in is gone. @returns whether it is now */
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

/** Of that person, there, and in that mode; earlier versions did not say whether it was training. */
export function isAt(place: TillPlace, attempt: Partial<TillPlace>): boolean {
  const { staffId, environment, training = place.training } = attempt;
  return (
    staffId === place.staffId && environment === place.environment && training === place.training
  );
}

/**
 * Whether a paid sale is that person's, in that mode, wherever the shop sold when it was begun: the
 * gateway answers for one that it has, and refuses one that it has not. Earlier versions did not say
 * whether it was training, so theirs are told apart by where they were sold.
 */
export function isPaidBy(place: TillPlace, attempt: Partial<TillPlace>): boolean {
  const { environment, training } = attempt;
  return training === undefined || environment === undefined
    ? isAt(place, attempt)
    : isAt({ ...place, environment }, attempt);
}

/** Attempts that were paid and not answered, or refused and not refunded yet, oldest first. */
export function listConfirmedAttempts(): (ConfirmedAttempt & StoredAttempt)[] {
  return listAttempts().filter(isConfirmed);
}

/** Attempts that were paid and are sent until they are answered, oldest first. */
export function listUnsentAttempts(): (ConfirmedAttempt & StoredAttempt)[] {
  return listConfirmedAttempts().filter(({ refusal }) => refusal === undefined);
}

/** Stores the gateway's refusal, so that nothing sends it again, also after a restart. */
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

/**
 * Stores an attempt of this window under its sale id, in place of the one stored before.
 * @throws StorageError where it would not be kept: it must not be sent then
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

/** The attempt with everything that will be sent, fixed from here on. */
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

/** The same with the approval it takes; nothing else of what is sent changes. */
export function withApproval(attempt: ConfirmedAttempt, approvalId: string): ConfirmedAttempt {
  return { ...attempt, input: { ...attempt.input, approvalId } };
}

/** An attempt as it was stored while a sale was one top-up for cash. */
interface EarlierAttempt {
  readonly saleId: string;
  readonly transactionId: string;
  readonly basket: object;
  readonly input?: { readonly lines: readonly object[]; readonly tender?: object };
}

/**
 * A stored attempt in today's shape. What was paid before the till was updated keeps its ids, so
 * that it is still sold once.
 */
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
  return (
    typeof value === "object" &&
    value !== null &&
    "saleId" in value &&
    "transactionId" in value &&
    "basket" in value &&
    typeof value.basket === "object"
  );
}
