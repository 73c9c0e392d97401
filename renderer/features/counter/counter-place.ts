import type { CounterState } from "./counter-state.ts";
import type { WallState } from "./wall/wall-state.ts";

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
