import { type Static, Type } from "typebox";
import { Input, MinorAmount } from "../common.ts";
import { Name } from "./name.ts";

/** Rounding step of cash in minor units of the shop's currency; 0 disables rounding. */
export const CashStep = Type.Integer({
  minimum: 0,
  maximum: 100_000,
  description:
    "a whole number of the currency's smallest unit that cash is rounded to; 0 not at all",
});

/**
 * Rounds an amount to the nearest cash step, halves up (rules#cash-rounding).
 * @param amount minor units, not below 0
 * @param step minor units; 0 leaves the amount unchanged
 */
export function roundCash(amount: number, step: number): number {
  return step === 0 ? amount : Math.floor((2 * amount + step) / (2 * step)) * step;
}

interface Habit {
  readonly currency: string;
  readonly step: number;
}

const CENTS: Habit = { currency: "EUR", step: 5 };

/**
 * Rounding steps of countries without the smallest coins of their currency. By law or decree:
 * CH (Swiss coinage: nothing below 5 Rappen), SE (Act 1970:1028, from 2010 on whole kronor), NO
 * (Norges Bank: øre withdrawn in 2012), DK (Nationalbanken: nothing below 50 øre), CZ (decree
 * of the ČNB of 2008: whole koruny), HU (Act III of 2008: 5 forint), AU (1 and 2 cents
 * withdrawn in 1992), NZ (5 cents withdrawn in 2006), CA (1 cent withdrawn in 2013), IL (5
 * agorot withdrawn in 2008), ZA (5 cents not minted since 2012), SG and MY (1 cent withdrawn in
 * 2002 and 2008). In the euro area by law: FI (Act 890/2000), NL (2004), BE (2019), SK (2022),
 * EE and LT (2025); by custom: IE (2015).
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

/** Returns the usual cash step of a country for a currency; 0 means no rounding. */
export function usualCashStep(country: string, currency: string): number {
  const habit = HABITS[country];
  return habit?.currency === currency ? habit.step : 0;
}

export const TENDER_KINDS = ["CASH", "CARD", "OTHER"] as const;
export const TenderKind = Type.Enum(TENDER_KINDS);
export type TenderKind = Static<typeof TenderKind>;

/** The first tender of a kind has the kind as its id. */
export const TenderId = Type.String({
  pattern: "^(CASH|CARD|OTHER|[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12})$",
  description: "the id of one of the shop's tenders",
});

/**
 * Maximum amount of cash: more than any drawer contains, but small enough that
 * sums stay safe integers.
 */
export const MOST_CASH = 999_999_999_999;

/**
 * Payment of a sale. At most one tender is CASH, with the amount handed over as `tendered`. CARD
 * and OTHER state the `amount` that they pay and a `reference`, such as the number of a card
 * receipt. Cash pays the rest of the total, and only cash gives change (rules#tender-split). The
 * default `tenderId` is the first tender of the kind.
 */
export const TenderInput = Input({
  kind: TenderKind,
  tenderId: Type.Optional(TenderId),
  tendered: Type.Optional(Type.Integer({ minimum: 0, maximum: MOST_CASH })),
  amount: Type.Optional(Type.Integer({ minimum: 1, maximum: MOST_CASH })),
  reference: Type.Optional(Name(64)),
});
export type TenderInput = Static<typeof TenderInput>;

/** Tender of a payment or refund, with its name at that time. */
export const NamedTender = {
  kind: TenderKind,
  tenderId: Type.Optional(TenderId),
  name: Type.Optional(Type.String({ description: "Absent for the default name of its kind" })),
};

/** `amount` is the tender's share. The shares of a sale add up to its total and cash rounding. */
export const Tender = Type.Object({
  ...NamedTender,
  amount: MinorAmount,
  tendered: Type.Optional(Type.Integer({ description: "Cash handed over, before change" })),
  reference: Type.Optional(Type.String()),
});
export type Tender = Static<typeof Tender>;

/** Returns the part of a total that remains for cash after the other tenders. */
function leftForCash(total: number, tenders: readonly TenderInput[]): number {
  return tenders.reduce(
    (left, { kind, amount = 0 }) => (kind === "CASH" ? left : left - amount),
    total,
  );
}

/**
 * Returns the rounding of the cash part of a total; 0 if no cash is used (rules#cash-rounding).
 * @param step cash step in minor units; 0 disables rounding
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
 * Returns each tender's share of a total, in the given order. Cash pays the rest, plus `rounding`.
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

/** Returns the id of a tender; the default is the first tender of its kind. */
export function tenderIdOf({
  kind,
  tenderId = kind,
}: Pick<TenderInput, "kind" | "tenderId">): string {
  return tenderId;
}

export function changeOf(tenders: readonly Tender[]): number {
  return tenders.reduce((sum, { amount, tendered = amount }) => sum + tendered - amount, 0);
}
