import type { WallState } from "../picker/wall/wall-state.ts";
import type { CounterState } from "./counter-state.ts";

/** The step that is open, another name for each of all families. */
export function nameOfStep({ sale, family, topup, voucher, esim, bill }: CounterState): string {
  const steps = { TOPUP: topup, VOUCHER: voucher, ESIM: esim, BILL_PAY: bill };
  return sale.confirming ? "confirm" : `${family} ${steps[family].step}`;
}

/** Nothing of the line was chosen or typed yet. */
export function isUntouched({ family, topup, voucher, esim, bill }: CounterState): boolean {
  switch (family) {
    case "TOPUP":
      return topup.digits === "" && topup.query === "" && topup.knownNumber === undefined;
    case "VOUCHER":
      return voucher.step === "brand" && isFresh(voucher.brands);
    case "ESIM":
      return esim.step === "place" && isFresh(esim.places);
    case "BILL_PAY":
      return bill.step === "biller" && isFresh(bill.billers);
  }
}

function isFresh({ query, focused }: WallState): boolean {
  return query === "" && focused === undefined;
}

/** What the arrow keys have moved to: a tile, or a known number. */
export function underArrows(state: CounterState): string | undefined {
  const { sale, family, topup, voucher, esim, bill } = state;
  if (sale.confirming) {
    return undefined;
  }
  switch (family) {
    case "TOPUP":
      return topup.step === "number" ? topup.knownNumber : topup.focusedTile;
    case "VOUCHER":
      return (voucher.step === "brand" ? voucher.brands : voucher.tiles).focused;
    case "ESIM":
      return (esim.step === "place" ? esim.places : esim.plans).focused;
    case "BILL_PAY":
      return (bill.step === "biller" ? bill.billers : bill.tiles).focused;
  }
}

/** Everything that is typed in the step that is open: another text whenever any of it changes. */
export function typedText({ topup, voucher, esim, bill }: CounterState): string {
  return JSON.stringify([
    [topup.digits, topup.query, topup.focusedTile, topup.amount],
    [voucher.brands, voucher.tiles, voucher.amount, voucher.fields],
    [esim.places, esim.plans, esim.iccidText],
    [bill.billers, bill.tiles, bill.amount, bill.fields],
  ]);
}
