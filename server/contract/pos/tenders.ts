import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";
import { Name } from "./name.ts";

/** What cash is rounded to: so many smallest units of the shop's currency; 0 where it is not. */
export const CashStep = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description:
    "a whole number of the currency's smallest unit that cash is rounded to; 0 not at all",
});

/**
 * An amount as it is paid in cash, to the nearest step, halves up (rules#cash-rounding).
 * @param amount minor units, not below 0
 * @param step minor units; 0 leaves the amount as it is
 */
export function roundCash(amount: number, step: number): number {
  return step === 0 ? amount : Math.floor((2 * amount + step) / (2 * step)) * step;
}

interface Habit {
  readonly currency: string;
  /** Minor units of the currency. */
  readonly step: number;
}

const CENTS: Habit = { currency: "EUR", step: 5 };

/**
 * Countries without the smallest coins of their currency, and what cash is rounded to there. By law or by
 * decree in CH (Swiss coinage: nothing below 5 Rappen), SE (Act 1970:1028, from 2010 on whole kronor), NO
 * (Norges Bank: øre withdrawn in 2012), DK (Nationalbanken: nothing below 50 øre), CZ (decree of the ČNB of
 * 2008: whole koruny), HU (Act III of 2008: 5 forint), AU (1 and 2 cents withdrawn in 1992), NZ (5 cents
 * withdrawn in 2006), CA (the cent withdrawn in 2013), IL (5 agorot withdrawn in 2008), ZA (5 cents not
 * minted since 2012), SG and MY (the cent withdrawn in 2002 and 2008); in the euro area in FI (Act 890/2000),
 * NL (2004), BE (2019), SK (2022), EE and LT (2025) by law, in IE (2015) by custom.
 */
const HABITS: Readonly<Record<string, Habit>> = {
  CH: { currency: "CHF", step: 5 },
  LI: { currency: "CHF", step: 5 },
  SE: { currency: "SEK", step: 100 },
  NO: { currency: "NOK", step: 100 },
  DK: { currency: "DKK", step: 50 },
  CZ: { currency: "CZK", step: 100 },
  HU: { currency: "HUF", step: 500 },
  AU: { currency: "AUD", step: 5 },
  NZ: { currency: "NZD", step: 10 },
  CA: { currency: "CAD", step: 5 },
  IL: { currency: "ILS", step: 10 },
  ZA: { currency: "ZAR", step: 10 },
  SG: { currency: "SGD", step: 5 },
  MY: { currency: "MYR", step: 5 },
  FI: CENTS,
  NL: CENTS,
  BE: CENTS,
  SK: CENTS,
  EE: CENTS,
  LT: CENTS,
  IE: CENTS,
};

/** What a shop's country rounds cash in this currency to; 0 where it does not. */
export function usualCashStep(country: string, currency: string): number {
  const habit = HABITS[country];
  return habit?.currency === currency ? habit.step : 0;
}

export const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
export const TenderKind = Type.Enum(TENDER_KINDS);
export type TenderKind = Static<typeof TenderKind>;

/** Which of the shop's tenders: the first of a kind has the kind for its id. */
export const TenderId = Type.String({
  pattern: "^(CASH|CARD|OTHER|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
  description: "the id of one of the shop's tenders",
});

/** More than any drawer holds, and small enough that sums of them stay exact. */
export const MOST_CASH = 999_999_999_999;

/**
 * How a sale is paid: at most one CASH, with what was handed over as `tendered`; CARD and OTHER with
 * the `amount` they pay and a `reference` of their own, such as the number of a card receipt. What they
 * leave of the total is paid in cash, and only cash gives change (rules#tender-split). Without `tenderId`
 * it is the first of its kind.
 */
export const TenderInput = Input({
  kind: TenderKind,
  tenderId: Type.Optional(TenderId),
  tendered: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_CASH })),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CASH })),
  reference: Type.Optional(Name(64)),
});
export type TenderInput = Static<typeof TenderInput>;

/** Which tender money came or went by: what it was called then, unless by the program's word. */
export const NamedTender = {
  kind: TenderKind,
  tenderId: Type.Optional(TenderId),
  name: Type.Optional(Type.String({ description: "Where it has none, the word for its kind" })),
};

/** `amount` is what it pays: the amounts of a sale's tenders add up to its total and its cash rounding. */
export const Tender = Type.Object({
  ...NamedTender,
  amount: MinorAmount,
  tendered: Type.Optional(Type.Integer({ description: "Cash handed over, before change" })),
  reference: Type.Optional(Type.String()),
});
export type Tender = Static<typeof Tender>;

/** What the other tenders leave of a total for cash. */
function leftForCash(total: number, tenders: readonly TenderInput[]): number {
  return tenders.reduce(
    (left, { kind, amount = 0 }) => (kind === "CASH" ? left : left - amount),
    total,
  );
}

/**
 * What the cash part of a total is rounded by: nothing where no cash is taken (rules#cash-rounding).
 * @param step what cash is rounded to, minor units; 0 not at all
 */
export function cashRoundingOf(
  total: number,
  tenders: readonly TenderInput[],
  step: number,
): number {
  if (!tenders.some(({ kind }) => kind === "CASH")) return 0;
  const due = Math.max(0, leftForCash(total, tenders));
  return roundCash(due, step) - due;
}

/**
 * What each tender pays of a total, in the order given: cash what the others leave of it, rounded by
 * `rounding`.
 */
export function sharesOf(total: number, tenders: readonly TenderInput[], rounding = 0): Tender[] {
  const due = leftForCash(total, tenders) + rounding;
  return tenders.map(({ kind, tenderId, amount = 0, tendered = 0, reference }) =>
    kind === "CASH"
      ? { kind, amount: due, tendered }
      : {
          kind,
          ...(tenderId !== undefined && tenderId !== kind && { tenderId }),
          amount,
          ...(reference !== undefined && { reference }),
        },
  );
}

/** Which tender it is, among all of the shop. */
export function tenderIdOf({
  kind,
  tenderId = kind,
}: Pick<TenderInput, "kind" | "tenderId">): string {
  return tenderId;
}

/** What goes back over the counter at once. */
export function changeOf(tenders: readonly Tender[]): number {
  return tenders.reduce((sum, { amount, tendered = amount }) => sum + tendered - amount, 0);
}
