import type { WalletAlert } from "../../../server/contract/pos/wallet-office.ts";
import { parseAmount } from "../../lib/money.ts";

const MOST_HOURS = 168;

interface AlertDraft {
  readonly amount: string;
  readonly hours: string;
}

export function readAlert(
  { amount, hours }: AlertDraft,
  currencyDivisor: number,
):
  | { readonly alert: WalletAlert; readonly wrong?: undefined }
  | { readonly alert?: undefined; readonly wrong: "amount" | "hours" } {
  const lowAmount = amount === "" ? undefined : (parseAmount(amount, currencyDivisor) ?? 0);
  const lowHours = hours === "" ? undefined : Number(hours);
  if (lowAmount === 0) {
    return { wrong: "amount" };
  }
  if (lowHours !== undefined && (lowHours < 1 || lowHours > MOST_HOURS)) {
    return { wrong: "hours" };
  }
  return {
    alert: {
      ...(lowAmount !== undefined && { lowAmount }),
      ...(lowHours !== undefined && { lowHours }),
    },
  };
}
