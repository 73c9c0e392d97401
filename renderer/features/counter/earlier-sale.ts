import type { Outcome } from "../../../server/contract/pos/outcome.ts";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import type { PurchaseValue } from "../../../server/contract/v1/purchases.ts";
import type { ConfirmedAttempt } from "./attempt-store.ts";
import type { AttemptLine, TopupItem } from "./line-item.ts";

/** What the till must know of a sale to judge whether the next one is the same once more. */
export interface SoldBefore {
  readonly saleId: string;
  /** Absent until the gateway has given it one. */
  readonly saleNumber?: number;
  readonly soldAt: string;
  readonly outcome: Outcome;
  readonly recipientPhoneNumber: string;
  readonly offerId: string;
  readonly value?: PurchaseValue;
}

/**
 * What an earlier sale to the number means for the one being confirmed.
 * `being-sent`: its outcome is open, whatever it was: the customer may get both.
 * `same-again`: the same arrived a moment ago: more likely a slip than a wish.
 * Both ask for a deliberate key. `delivered` and `not-delivered` only tell.
 */
export type EarlierVerdict =
  | {
      readonly kind: "being-sent" | "same-again" | "delivered" | "not-delivered";
      readonly earlier: SoldBefore;
    }
  /** The same stands in the basket twice. */
  | { readonly kind: "twice"; readonly twin: TopupItem };

const JUST_NOW_MS = 10 * 60_000;

/** Judges a basket by the sales to its number; nothing recent and finished says nothing. */
export function judgeEarlier(
  basket: Pick<TopupItem, "number" | "offerId" | "value">,
  sold: readonly SoldBefore[],
  now: number,
): EarlierVerdict | undefined {
  const toNumber = bestKnown(sold)
    .filter(({ recipientPhoneNumber }) => recipientPhoneNumber === basket.number)
    .sort((a, b) => Date.parse(b.soldAt) - Date.parse(a.soldAt));
  const open = toNumber.find(({ outcome }) => !isFinal(outcome));
  if (open) {
    return { kind: "being-sent", earlier: open };
  }
  const recent = toNumber.filter(({ soldAt }) => now - Date.parse(soldAt) < JUST_NOW_MS);
  const twin = recent.find((one) => one.outcome === "DELIVERED" && isSame(one, basket));
  if (twin) {
    return { kind: "same-again", earlier: twin };
  }
  const [latest] = recent;
  return latest
    ? { kind: latest.outcome === "DELIVERED" ? "delivered" : "not-delivered", earlier: latest }
    : undefined;
}

const WORST_FIRST = ["being-sent", "same-again", "twice", "delivered", "not-delivered"] as const;

/** The verdict of a basket: the worst of its lines. The same twice in it is asked too. */
export function worstEarlier(
  lines: readonly AttemptLine[],
  sold: readonly SoldBefore[],
  now: number,
): EarlierVerdict | undefined {
  const topups = lines.flatMap(({ item }) => (item.productType === "TOPUP" ? [item] : []));
  const verdicts = topups.flatMap((item) => judgeEarlier(item, sold, now) ?? []);
  const twin = topups.find((item, index) =>
    topups.slice(0, index).some((one) => one.number === item.number && isSame(one, item)),
  );
  const all: readonly EarlierVerdict[] = twin ? [...verdicts, { kind: "twice", twin }] : verdicts;
  return WORST_FIRST.flatMap((kind) => all.filter((verdict) => verdict.kind === kind))[0];
}

/** Whether Enter must not take the payment, so that only another key sells. */
export function asksFirst(verdict: EarlierVerdict | undefined): boolean {
  return (
    verdict?.kind === "being-sent" || verdict?.kind === "same-again" || verdict?.kind === "twice"
  );
}

/** The lines of a sale this till has heard of, in the words of the gateway's lists. */
export function soldOfSale(sale: Sale): SoldBefore[] {
  return sale.lines.flatMap(({ recipientPhoneNumber, outcome, offerId, value }) =>
    recipientPhoneNumber === undefined
      ? []
      : [
          {
            saleId: sale.saleId,
            saleNumber: sale.saleNumber,
            soldAt: sale.createdAt,
            outcome,
            recipientPhoneNumber,
            offerId,
            ...(value ? { value } : {}),
          },
        ],
  );
}

/** A paid sale the gateway has not answered for: nobody knows, so it is being sent. */
export function soldOfAttempt({ saleId, confirmedAt, lines }: ConfirmedAttempt): SoldBefore[] {
  return lines.flatMap(({ item }) =>
    item.productType === "TOPUP"
      ? [
          {
            saleId,
            soldAt: new Date(confirmedAt).toISOString(),
            outcome: "SENDING",
            recipientPhoneNumber: item.number,
            offerId: item.offerId,
            ...(item.value ? { value: item.value } : {}),
          },
        ]
      : [],
  );
}

function isFinal(outcome: Outcome): boolean {
  return outcome === "DELIVERED" || outcome === "NOT_DELIVERED";
}

/** A list can be older than the event that overtook it; what was told as final stays final. */
function bestKnown(sold: readonly SoldBefore[]): SoldBefore[] {
  const known = new Map<string, SoldBefore>();
  for (const one of sold) {
    const key = `${one.saleId} ${one.recipientPhoneNumber} ${one.offerId}`;
    const before = known.get(key);
    if (!before || (!isFinal(before.outcome) && isFinal(one.outcome))) {
      known.set(key, one);
    }
  }
  return [...known.values()];
}

function isSame(
  earlier: Pick<SoldBefore, "offerId" | "value">,
  basket: Pick<TopupItem, "offerId" | "value">,
): boolean {
  return (
    earlier.offerId === basket.offerId &&
    earlier.value?.type === basket.value?.type &&
    earlier.value?.value === basket.value?.value
  );
}
