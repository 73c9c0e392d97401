import type { FailureCode } from "../../server/contract/error-codes.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { ErrorWords } from "./error-words.ts";
import type { Translate } from "./i18n.ts";
import type { Format } from "./use-format.ts";

/** Why a paid line was not delivered, and what the clerk does next. */
export function failureWords(
  { failure }: Pick<SaleLine, "failure">,
  t: Translate,
  format: Format,
): ErrorWords {
  const code = failure?.code ?? "UNKNOWN";
  if (failure?.shortBy !== undefined && failure.currency && failure.currencyDivisor) {
    const { currency, currencyDivisor, shortBy, available = 0 } = failure;
    const money = (minor: number) => format.money(minor, currency, currencyDivisor, "code");
    return {
      what: t("failure.insufficientShort.what", { shortBy: money(shortBy) }),
      next: t("failure.insufficientShort.next", { available: money(available) }),
      code,
    };
  }
  const key = isKnown(code) ? code : "other";
  return { what: t(`failure.${key}.what`), next: t(`failure.${key}.next`), code };
}

const KNOWN = [
  "INSUFFICIENT_FUNDS",
  "RECIPIENT_INVALID",
  "PROVIDER_REJECTED",
  "PROVIDER_UNAVAILABLE",
  "RETRY_WINDOW_EXPIRED",
  "PROVIDER_NOT_CONFIGURED",
] as const satisfies readonly FailureCode[];

function isKnown(code: string): code is (typeof KNOWN)[number] {
  return (KNOWN as readonly string[]).includes(code);
}
