import { ApiError, UnreachableError } from "./api-client.ts";
import type { Translate } from "./i18n.ts";
import type { Format } from "./use-format.ts";

/** An error as the clerk reads it: what happened and whose money, what next, and a small code. */
export interface ErrorWords {
  readonly what: string;
  readonly next: string;
  readonly code: string;
}

const KNOWN = [
  "NOT_SIGNED_IN",
  "TENDER_SHORT",
  "OFFER_DISABLED",
  "OFFER_NOT_FOUND",
  "VALUE_OUT_OF_RANGE",
  "SALE_ID_TAKEN",
  "RATE_LIMITED",
  "PIN_WRONG",
  "PIN_LOCKED",
  "PIN_WEAK",
  "NAME_TAKEN",
  "LAST_OWNER",
  "FORBIDDEN",
  "APPROVAL_REQUIRED",
  "APPROVER_NOT_ALLOWED",
  "ENVIRONMENT_CHANGED",
  "SHIFT_REQUIRED",
  "SHIFT_OPEN",
  "SHIFT_CLOSED",
  "SHIFT_UNFINISHED",
] as const;

function isKnown(code: string): code is (typeof KNOWN)[number] {
  return (KNOWN as readonly string[]).includes(code);
}

/** Puts an error into words. `price` is written with the currency the caller asked in. */
export function errorWords(
  error: unknown,
  t: Translate,
  format: Format,
  priceIn?: { readonly currency: string; readonly divisor: number },
): ErrorWords {
  if (error instanceof UnreachableError) {
    return {
      what: t("error.unreachable.what"),
      next: t("error.unreachable.next"),
      code: "UNREACHABLE",
    };
  }
  const code = error instanceof ApiError ? error.errorCode : "UNEXPECTED";
  const fields = error instanceof ApiError ? error.fields : {};
  if (code === "WALLET_SHORT" && fields.currency) {
    const { currency } = fields;
    const money = (minor: string | undefined) =>
      format.money(Number(minor ?? 0), currency, Number(fields.currencyDivisor ?? 100), "code");
    return {
      what: t("error.WALLET_SHORT.what", { shortBy: money(fields.shortBy) }),
      next: t("error.WALLET_SHORT.next", { available: money(fields.available) }),
      code,
    };
  }
  if (code === "PRICE_CHANGED" && priceIn) {
    const price = format.money(Number(fields.price), priceIn.currency, priceIn.divisor);
    return {
      what: t("error.PRICE_CHANGED.what", { price }),
      next: t("error.PRICE_CHANGED.next"),
      code,
    };
  }
  if (isKnown(code)) {
    return { what: t(`error.${code}.what`), next: t(`error.${code}.next`), code };
  }
  return { what: t("error.other.what"), next: t("error.other.next"), code };
}
