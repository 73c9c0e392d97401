import { useTranslation } from "react-i18next";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { type AttemptLine, recipientOf } from "../attempt/line-item.ts";
import type { CurrentSale } from "../basket/use-sale.ts";
import classes from "./sale-in-short.module.css";

/** The id of the description of the cash field and of the button that takes the money. */
export const SALE_IN_SHORT_ID = "sale-in-short";

/** As many as stand above the button; the rest is counted. */
const MOST_NAMED = 2;

/**
 * To whom, what, and what it comes to, in two lines beside the button that takes the money: shown
 * where the step itself may be scrolled out of sight, and read out everywhere.
 */
export function SaleInShort({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { lines, openLine, total, till } = sale;
  const inOrder = openLine ? [openLine, ...lines.filter((line) => line !== openLine)] : lines;
  const whatOf = ({ item }: AttemptLine) => [recipientOf(item) || item.brandName, lineTitle(item)];
  const more = inOrder.length - MOST_NAMED;
  return (
    <div id={SALE_IN_SHORT_ID} className={classes.short}>
      <ul className={classes.lines}>
        {inOrder.slice(0, MOST_NAMED).map((line) => {
          const [who, what] = whatOf(line);
          return (
            <li key={line.transactionId}>
              <bdi dir="ltr" className={classes.who}>
                {who}
              </bdi>{" "}
              <bdi>{what}</bdi>
            </li>
          );
        })}
        {more > 0 ? <li>{t("sale.failedMore", { count: more })}</li> : null}
      </ul>
      <strong className={classes.total}>
        {format.money(total, till.currency, till.currencyDivisor)}
      </strong>
    </div>
  );
}
