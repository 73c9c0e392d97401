import { Type } from "typebox";

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
