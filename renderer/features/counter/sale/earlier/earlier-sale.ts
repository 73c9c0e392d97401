import {
  isOpenOutcome,
  type Outcome,
  rankEarlier,
} from "../../../../../server/contract/pos/outcome.ts";
import type { WantedLine } from "../../../../../server/contract/pos/sale-lines.ts";
import type { CheckedLine, Sale, SoldEarlier } from "../../../../../server/contract/pos/sales.ts";
import { useCachedSales } from "../../../../lib/pos-queries.ts";
import type { Attempt, ConfirmedAttempt } from "../attempt/attempt-store.ts";
import { type LineItem, recipientOf, wantedOf } from "../attempt/line-item.ts";
import type { Outbox } from "../attempt/use-outbox.ts";

export interface SoldHere {
  readonly saleId: string;
  /** Undefined until the gateway has assigned a number. */
  readonly saleNumber?: number;
  readonly soldAt: string;
  readonly clerk?: string;
  readonly outcome: Outcome;
  readonly wanted: WantedLine;
}

export type Earlier = Pick<SoldEarlier, "soldAt" | "outcome" | "same" | "recipientFormatted"> &
  Partial<Pick<SoldEarlier, "saleNumber" | "clerk">>;

/**
 * Judgement about an earlier sale to the same recipient (rules#sale-earlier-same). `being-sent`:
 * its outcome is not final, so the customer may receive both. `same-again`: it delivered the same
 * product a short time ago, so the new sale is probably a mistake. Both need a special key.
 * `delivered` and `not-delivered` are only shown.
 */
export type EarlierVerdict =
  | {
      readonly kind: "being-sent" | "same-again" | "delivered" | "not-delivered";
      readonly item: LineItem;
      readonly earlier: Earlier;
    }
  /** The basket contains two equal lines, which also need the special key. */
  | { readonly kind: "twice"; readonly item: LineItem };

interface Known {
  readonly checks: ReadonlyMap<string, CheckedLine>;
  readonly answered: readonly SoldHere[];
  readonly unanswered: readonly SoldHere[];
}

const WORST_FIRST = ["being-sent", "same-again", "twice", "delivered", "not-delivered"] as const;

/**
 * Returns the most serious verdict for the basket. This till's own sales count only for lines that
 * the gateway has not checked, and for sales that the gateway has not received.
 */
export function worstEarlier(
  { saleId, lines, openedAt }: Attempt,
  { checks, answered, unanswered }: Known,
): EarlierVerdict | undefined {
  const verdicts = lines.flatMap(({ transactionId, item }, index): EarlierVerdict[] => {
    const check = checks.get(transactionId);
    const here = check ? unanswered : [...answered, ...unanswered];
    const known = [
      check?.earlier,
      findEarlier(
        item,
        here.filter((sold) => sold.saleId !== saleId),
        openedAt,
      ),
    ];
    const wanted = wantedOf(item);
    const isTwin = lines
      .slice(0, index)
      .some((line) => whoOf(wanted) !== "" && isSame(wantedOf(line.item), wanted));
    return [
      ...known.flatMap((earlier) => (earlier ? [{ kind: kindOf(earlier), item, earlier }] : [])),
      ...(isTwin ? [{ kind: "twice" as const, item }] : []),
    ];
  });
  return WORST_FIRST.flatMap((kind) => verdicts.filter((verdict) => verdict.kind === kind))[0];
}

/** Returns whether the payment needs a special key instead of Enter. */
export function confirmsFirst(verdict: EarlierVerdict | undefined): boolean {
  return (
    verdict?.kind === "being-sent" || verdict?.kind === "same-again" || verdict?.kind === "twice"
  );
}

function kindOf({ outcome, same }: Earlier): Exclude<EarlierVerdict["kind"], "twice"> {
  if (isOpenOutcome(outcome)) {
    return "being-sent";
  }
  if (outcome === "NOT_DELIVERED") {
    return "not-delivered";
  }
  return same ? "same-again" : "delivered";
}

/**
 * Finds this till's sale to the recipient: a sale without a final outcome, or else a recent sale of
 * the same product, or else the last recent sale.
 */
function findEarlier(item: LineItem, sold: readonly SoldHere[], now: number): Earlier | undefined {
  const wanted = wantedOf(item);
  const who = whoOf(wanted);
  const fitting = sold
    .filter((one) => whoOf(one.wanted) === who && (who !== "" || isSame(one.wanted, wanted)))
    .flatMap((one) => {
      const { outcome, soldAt } = one;
      const isAlike = isSame(one.wanted, wanted);
      const ranked = rankEarlier({ outcome, isAlike, age: now - Date.parse(soldAt) });
      const recipientFormatted = who === "" ? "" : recipientOf(item);
      return ranked ? [{ ...one, ...ranked, recipientFormatted }] : [];
    });
  return fitting.sort((a, b) => a.rank - b.rank || Date.parse(b.soldAt) - Date.parse(a.soldAt))[0];
}

function soldOfSale({ saleId, saleNumber, createdAt, staff, lines }: Sale): SoldHere[] {
  return lines.map(({ productType, offerId, value, outcome, ...line }) => ({
    saleId,
    saleNumber,
    soldAt: createdAt,
    clerk: staff.name,
    outcome,
    wanted: {
      productType,
      offerId,
      ...(value && { value }),
      ...(line.recipientPhoneNumber && { recipientPhoneNumber: line.recipientPhoneNumber }),
      ...(line.fields && { fields: line.fields }),
      ...(line.iccid && { iccid: line.iccid }),
    },
  }));
}

/**
 * Lists the lines of an unanswered sale. Their outcome is unknown, so each line counts as being
 * sent.
 */
function soldOfAttempt({ saleId, confirmedAt, lines }: ConfirmedAttempt): SoldHere[] {
  return lines.map(({ item }) => ({
    saleId,
    soldAt: new Date(confirmedAt).toISOString(),
    outcome: "SENDING",
    wanted: wantedOf(item),
  }));
}

/** Identifies the recipient; empty if the line has no recipient. */
function whoOf({ productType, recipientPhoneNumber, iccid, fields = [] }: WantedLine): string {
  const named =
    recipientPhoneNumber ?? iccid ?? fields.map(({ key, value }) => `${key}=${value}`).join("&");
  return named === "" ? "" : `${productType} ${named}`;
}

function isSame(one: WantedLine, other: WantedLine): boolean {
  return (
    one.offerId === other.offerId &&
    whoOf(one) === whoOf(other) &&
    one.value?.type === other.value?.type &&
    one.value?.value === other.value?.value
  );
}

interface KnownHere {
  /** Sales that the gateway has received. */
  readonly answered: readonly SoldHere[];
  readonly unanswered: readonly SoldHere[];
}

export function useSoldHere(outbox: Outbox, shownSales: readonly string[]): KnownHere {
  const waiting = outbox.entries.filter(({ error }) => error === undefined);
  return {
    answered: useCachedSales(shownSales).flatMap(soldOfSale),
    unanswered: waiting.flatMap(({ attempt }) => soldOfAttempt(attempt)),
  };
}
