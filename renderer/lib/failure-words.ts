import type { FailureCode } from "../../server/contract/error-codes.ts";
import type { Family } from "../../server/contract/pos/families.ts";
import type { SaleLine } from "../../server/contract/pos/sale-lines.ts";
import type { ErrorWords } from "./error-words.ts";
import type { Translate } from "./i18n.ts";
import type { Format } from "./use-format.ts";

/** Failures with the same text in every family: they concern the shop. */
const OF_THE_SHOP = [
  "INSUFFICIENT_FUNDS",
  "PROVIDER_NOT_CONFIGURED",
  "VERIFICATION_BLOCKED",
  "VERIFICATION_TIMEOUT",
  "PRICE_CHANGED",
] as const satisfies readonly FailureCode[];

/** Failures with a text for each family: only a top-up has a carrier and a phone number. */
const OF_THE_FAMILY = [
  "RECIPIENT_INVALID",
  "PROVIDER_REJECTED",
  "PROVIDER_UNAVAILABLE",
  "RETRY_WINDOW_EXPIRED",
] as const satisfies readonly FailureCode[];

const OF_ONE_FAMILY: Readonly<
  Partial<Record<Family, (code: string) => "family.ESIM.failure.ICCID_NOT_FOUND" | undefined>>
> = {
  ESIM: (code) => (code === "ICCID_NOT_FOUND" ? `family.ESIM.failure.${code}` : undefined),
};

export function failureWords(
  { failure, productType }: Pick<SaleLine, "failure" | "productType">,
  t: Translate,
  format: Pick<Format, "money">,
): ErrorWords {
  const code = failure?.code ?? "UNKNOWN";
  const provider = failure?.provider;
  if (provider !== undefined) {
    const what = t("failure.any.shortAtProvider.what", { provider });
    return { what, next: t("failure.any.shortAtProvider.next"), code };
  }
  if (failure?.shortBy !== undefined && failure.currency && failure.currencyDivisor) {
    const { currency, currencyDivisor, shortBy, available = 0 } = failure;
    const money = (minor: number) => format.money(minor, currency, currencyDivisor, "code");
    return {
      what: t("failure.any.insufficientShort.what", { shortBy: money(shortBy) }),
      next: t("failure.any.insufficientShort.next", { available: money(available) }),
      code,
    };
  }
  const words = wordsOf(code, productType);
  return { what: t(`${words}.what`), next: t(`${words}.next`), code };
}

function wordsOf(code: string, family: Family) {
  if (isOneOf(OF_THE_SHOP, code)) {
    return `failure.any.${code}` as const;
  }
  if (isOneOf(OF_THE_FAMILY, code)) {
    return `family.${family}.failure.${code}` as const;
  }
  return OF_ONE_FAMILY[family]?.(code) ?? (`family.${family}.failure.other` as const);
}

function isOneOf<Code extends string>(codes: readonly Code[], code: string): code is Code {
  return (codes as readonly string[]).includes(code);
}
