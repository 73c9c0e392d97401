import type { PosStatus } from "../../../server/contract/pos/setup.ts";
import { usualCashStep } from "../../../server/contract/pos/tenders.ts";
import { parseAmount, toDecimal } from "../../lib/money.ts";

/** `usual` is the country's usual step. */
export const CASH_CHOICES = ["none", "usual", "own"] as const;
const LARGEST_STEP = 100_000;

export interface CashDraft {
  readonly choice: (typeof CASH_CHOICES)[number];
  readonly typed: string;
}

type Shop = Pick<PosStatus, "country" | "currency" | "currencyDivisor">;

export function cashDraftOf(step: number, { country, currency, currencyDivisor }: Shop): CashDraft {
  if (step === 0) return { choice: "none", typed: "" };
  const isUsual = step === usualCashStep(country, currency);
  return { choice: isUsual ? "usual" : "own", typed: toDecimal(step, currencyDivisor) };
}

/**
 * Returns the rounding step in minor units; 0 for no rounding, undefined if the typed step is
 * invalid.
 */
export function readCashStep({ choice, typed }: CashDraft, shop: Shop): number | undefined {
  if (choice === "none") return 0;
  if (choice === "usual") return usualCashStep(shop.country, shop.currency);
  const step = parseAmount(typed, shop.currencyDivisor) ?? 0;
  return step > 0 && step <= LARGEST_STEP ? step : undefined;
}
