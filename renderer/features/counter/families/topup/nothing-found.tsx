import { useTranslation } from "react-i18next";
import { TYPING_MS, useAnnounced } from "../../../../lib/announcer.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import { isPaymentCode } from "../../picker/barcodes/read-bill-barcode.ts";
import classes from "./recent-list.module.css";
import { isCode } from "./typed-text.ts";
import type { Topup } from "./use-topup.ts";

/** Nothing fits what was typed or scanned: what it is not, and what may be done. */
export function NothingFound({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const words = nothingWords(topup, t);
  useAnnounced(words, { afterMs: TYPING_MS });
  return <p className={classes.empty}>{words}</p>;
}

function nothingWords({ state: { query }, numbered }: Topup, t: Translate): string {
  if (numbered.number !== undefined) {
    const { number } = numbered;
    return t(numbered.hasFailed ? "counter.field.saleAway" : "counter.field.noSale", { number });
  }
  if (isPaymentCode(query)) {
    return t("counter.field.unknownBill");
  }
  return isCode(query)
    ? t("counter.field.unknownCode")
    : t("counter.field.nothing", { text: query });
}
