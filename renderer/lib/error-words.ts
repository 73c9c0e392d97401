import type { WalletShort } from "../../server/contract/pos/wallet.ts";
import { ApiError, UnreachableError } from "./api-client.ts";
import { StorageError } from "./browser-storage.ts";
import type { Translate } from "./i18n.ts";
import type { Format } from "./use-format.ts";

/** An error for the clerk: the event and affected money, the next step, and a small code. */
export interface ErrorWords {
  readonly what: string;
  readonly next: string;
  readonly code: string;
}

const KNOWN = [
  "NOT_SIGNED_IN",
  "NUMBER_NOT_CONFIRMED",
  "NUMBER_REFUSED",
  "TENDER_SHORT",
  "TENDER_RETIRED",
  "TENDERS_CHANGED",
  "OFFER_DISABLED",
  "OFFER_NOT_FOUND",
  "VALUE_OUT_OF_RANGE",
  "SALE_ID_TAKEN",
  "RATE_LIMITED",
  "PIN_WRONG",
  "PIN_LOCKED",
  "PIN_WEAK",
  "PIN_REQUIRED",
  "PIN_DUE",
  "PIN_KEY_MISSING",
  "NAME_TAKEN",
  "LAST_OWNER",
  "FORBIDDEN",
  "APPROVAL_REQUIRED",
  "APPROVER_NOT_ALLOWED",
  "ENVIRONMENT_CHANGED",
  "TILL_NOT_READY",
  "SHIFT_REQUIRED",
  "SHIFT_OPEN",
  "SHIFT_CLOSED",
  "SHIFT_UNFINISHED",
  "COUNT_UNLIKELY",
  "REFERENCE_USED",
  "RECHARGE_REVERSED",
  "RECHARGE_SPENT",
] as const;

function isKnown(code: string): code is (typeof KNOWN)[number] {
  return (KNOWN as readonly string[]).includes(code);
}

/**
 * Describes the remaining amount of a low wallet, in the shop's currency, and names the person who
 * can help.
 */
export function walletShortWords(
  { upTo, currency, currencyDivisor }: WalletShort,
  t: Translate,
  format: Format,
): ErrorWords {
  const amount = format.moneyShort(upTo, currency, currencyDivisor);
  return {
    what: upTo > 0 ? t("error.WALLET_SHORT.what", { amount }) : t("error.WALLET_SHORT.empty"),
    next: t("error.WALLET_SHORT.next"),
    code: "WALLET_SHORT",
  };
}

/**
 * Explains which limit of the pilot stops a sale: another till sells, or the amount exceeds a cap.
 * Names the amount that remains today, and the page on which an owner ends the pilot.
 */
function pilotWords(
  fields: Readonly<Record<string, string>>,
  t: Translate,
  format: Format,
): ErrorWords {
  const { till, chosenBy = "", perSale, perDay, currency = "", currencyDivisor } = fields;
  const code = "PILOT_LIMIT";
  const page = t("goLive.title");
  const next = t(`error.PILOT_LIMIT.${till === undefined ? "next" : "nextThere"}`, { page });
  if (till !== undefined) {
    const which = till || t("goLive.pilot.someTill", { name: chosenBy });
    return { what: t("error.PILOT_LIMIT.till", { till: which }), next, code };
  }
  const money = (minor: string | undefined) =>
    format.money(Number(minor ?? 0), currency, Number(currencyDivisor));
  const left = money(perDay);
  const what =
    perSale === undefined
      ? t("error.PILOT_LIMIT.day", { left })
      : t("error.PILOT_LIMIT.sale", { amount: money(perSale), left });
  return { what, next, code };
}

/** Describes an error, with a price in the currency of `priceIn`. */
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
  if (error instanceof StorageError) {
    return { what: t("error.storage.what"), next: t("error.storage.next"), code: "STORAGE" };
  }
  const code = error instanceof ApiError ? error.errorCode : "UNEXPECTED";
  const fields = error instanceof ApiError ? error.fields : {};
  if (code === "WALLET_SHORT" && fields.upTo && fields.currency) {
    const { upTo, currency, currencyDivisor } = fields;
    const short = { upTo: Number(upTo), currency, currencyDivisor: Number(currencyDivisor) };
    return walletShortWords(short, t, format);
  }
  if (code === "PRICE_CHANGED" && priceIn) {
    const price = format.money(Number(fields.price), priceIn.currency, priceIn.divisor);
    return {
      what: t("error.PRICE_CHANGED.what", { price }),
      next: t("error.PRICE_CHANGED.next"),
      code,
    };
  }
  if (code === "PILOT_LIMIT") {
    return pilotWords(fields, t, format);
  }
  if (code === "SYSTEM_UNAVAILABLE" && fields.clock !== undefined) {
    return { what: t("error.clock.what"), next: t("error.clock.next"), code };
  }
  if (isKnown(code)) {
    return { what: t(`error.${code}.what`), next: t(`error.${code}.next`), code };
  }
  return { what: t("error.other.what"), next: t("error.other.next"), code };
}

/** Returns the gateway's errors by field name. */
export function faultsOf(error: Error | null): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}
