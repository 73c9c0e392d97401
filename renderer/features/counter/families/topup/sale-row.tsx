import { IconReceipt } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { nameOutcome } from "../../../../../server/contract/pos/outcome.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { saleLineAt, saleOutcomeAt } from "../../../../lib/sale-outcome.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { useNow } from "../../../../lib/use-now.ts";
import { useRecipient } from "../../../../lib/use-place-words.ts";
import { ChoiceButton, type ChoiceButtonProps } from "./choice-button.tsx";
import classes from "./recent-list.module.css";

interface SaleRowProps extends ChoiceButtonProps {
  readonly sale: Sale;
}

/** Pressing the row opens the sale and sells nothing. */
export function SaleRow({ sale, ...choice }: SaleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const facts = [
    line && recipientOf(line),
    format.moment(sale.createdAt),
    line && lineTitle(line),
    t(`sale.outcome.${nameOutcome(saleOutcomeAt(sale, now), sale.lines)}`),
  ];
  return (
    <li className="row">
      <ChoiceButton {...choice}>
        <IconReceipt size="1.5rem" aria-hidden="true" />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>{t("sale.number", { number: sale.saleNumber })}</span>
          <span className="row wrap gap-0-2 faint size-caption">
            {facts.filter(Boolean).map((fact, at) => (
              <span key={fact}>
                {at === 0 ? "" : " · "}
                <bdi>{fact}</bdi>
              </span>
            ))}
          </span>
        </span>
        <span className={classes.price}>
          {format.money(sale.total, sale.currency, sale.currencyDivisor)}
        </span>
      </ChoiceButton>
    </li>
  );
}
