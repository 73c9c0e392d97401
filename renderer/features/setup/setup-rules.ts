import { whyWeak } from "../../../server/contract/pos/pins.ts";
import type { SetupCurrencies } from "../../../server/contract/pos/setup.ts";
import { isRate } from "../../lib/rate-rules.ts";

/** Rates and PINs are texts, as typed. */
export interface SetupForm {
  readonly shopName: string;
  /** ISO 3166-1 alpha-2. Decides the proposed currency and time zone. */
  readonly country: string;
  readonly currency: string;
  readonly rate: string;
  /** IANA name. */
  readonly timeZone: string;
  readonly language: string;
  readonly ownerName: string;
  readonly pin: string;
  readonly pinAgain: string;
}

const OWNER_PIN = /^[0-9]{6,8}$/;

export type SetupProblem =
  | "setup.shopNameMissing"
  | "setup.currencyMissing"
  | "setup.timeZoneMissing"
  | "setup.rateInvalid"
  | "setup.ownerPinInvalid"
  | "setup.pinEasy"
  | "setup.pinDiffers";

/** Returns errors by field, as text keys. */
export function checkSetup(
  form: SetupForm,
  walletCurrency: string,
): Partial<Record<keyof SetupForm, SetupProblem>> {
  return {
    ...(form.shopName.trim() === "" && { shopName: "setup.shopNameMissing" as const }),
    ...(form.timeZone === "" && { timeZone: "setup.timeZoneMissing" as const }),
    ...(form.currency === "" && { currency: "setup.currencyMissing" as const }),
    ...(form.currency !== walletCurrency &&
      !isRate(form.rate) && { rate: "setup.rateInvalid" as const }),
    ...pinProblem(form.pin),
    ...(form.pin !== form.pinAgain && { pinAgain: "setup.pinDiffers" as const }),
  };
}

function pinProblem(pin: string): { pin?: SetupProblem } {
  if (!OWNER_PIN.test(pin)) {
    return { pin: "setup.ownerPinInvalid" };
  }
  return whyWeak(pin, "owner") === undefined ? {} : { pin: "setup.pinEasy" };
}

/** Returns whether a text contains the search text, ignoring case and accents. */
export function matchesWords(search: string, text: string): boolean {
  return plain(text).includes(plain(search.trim()));
}

function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}

export const SHOP_FIELDS = ["shopName", "currency", "timeZone", "rate"] as const;

/** Maximum age of a reference rate. If it is older, the owner enters today's rate. */
const REFERENCE_MS = 7 * 86_400_000;

/**
 * Returns the reference rate; empty if it is too old.
 * @param now milliseconds since 1970-01-01T00:00:00Z
 */
export function proposedRate(
  currencies: Pick<SetupCurrencies, "asOf" | "list"> | undefined,
  currency: string,
  now: number,
): string {
  const isFresh = now - Date.parse(currencies?.asOf ?? "") <= REFERENCE_MS;
  return isFresh ? (currencies?.list.find((one) => one.currency === currency)?.rate ?? "") : "";
}
