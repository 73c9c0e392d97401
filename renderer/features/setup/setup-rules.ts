import { whyWeak } from "../../../server/contract/pos/pins.ts";
import { isRate } from "../../lib/rate-rules.ts";

/** What the first-run form holds. Rates and PINs stay text. */
export interface SetupForm {
  readonly shopName: string;
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
  | "setup.required"
  | "setup.rateInvalid"
  | "setup.ownerPinInvalid"
  | "setup.pinEasy"
  | "setup.pinDiffers";

/** What keeps the form from being sent, by field; the words are keys of the locales. */
export function checkSetup(
  form: SetupForm,
  walletCurrency: string,
): Partial<Record<keyof SetupForm, SetupProblem>> {
  return {
    ...(form.shopName.trim() === "" && { shopName: "setup.required" as const }),
    ...(form.timeZone === "" && { timeZone: "setup.required" as const }),
    ...(form.currency === "" && { currency: "setup.required" as const }),
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

/** Whether a text holds what was searched for, whatever the case and the accents. */
export function matchesWords(search: string, text: string): boolean {
  return plain(text).includes(plain(search.trim()));
}

function plain(text: string): string {
  return text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
}
