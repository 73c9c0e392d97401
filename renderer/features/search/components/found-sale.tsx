import { IconReceipt } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { saleLineAt, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { useNow } from "../../../lib/use-now.ts";
import { useRecipient } from "../../../lib/use-place-words.ts";
import classes from "./palette.module.css";

/** A sale by its number, with whom it was for, when, what became of it and what was paid. */
export function FoundSale({ sale }: { readonly sale: Sale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const outcome = saleOutcomeAt(sale, now);
  return (
    <>
      <IconReceipt size="1.5rem" aria-hidden="true" />
      <span className={classes.words}>
        {t("sale.number", { number: sale.saleNumber })} ·{" "}
        <bdi dir={line?.recipientFormatted ? "ltr" : "auto"}>
          {(line && recipientOf(line)) || line?.brandName}
        </bdi>
        <span className={classes.more}>
          {[format.moment(sale.createdAt), line && lineTitle(line), t(`sale.outcome.${outcome}`)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <span className={classes.price}>
        {format.money(sale.total, sale.currency, sale.currencyDivisor)}
      </span>
    </>
  );
}
