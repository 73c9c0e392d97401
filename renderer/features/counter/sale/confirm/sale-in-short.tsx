import { useTranslation } from "react-i18next";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { type AttemptLine, recipientOf } from "../attempt/line-item.ts";
import type { CurrentSale } from "../basket/use-sale.ts";

/** The id of the description of the cash field and of the button that takes the money. */
export const SALE_IN_SHORT_ID = "sale-in-short";

/** As many as stand above the button; the rest is counted. */
const MOST_NAMED = 2;

/** To whom, what, and what it comes to: read out with the button that takes the money, and shown above it. */
export function SaleInShort({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { lines, openLine, total, till } = sale;
  const inOrder = openLine ? [openLine, ...lines.filter((line) => line !== openLine)] : lines;
  const whatOf = ({ item }: AttemptLine) => [recipientOf(item) || item.brandName, lineTitle(item)];
  const more = inOrder.length - MOST_NAMED;
  return (
    <div id={SALE_IN_SHORT_ID} className="spoken">
      <ul>
        {inOrder.slice(0, MOST_NAMED).map((line) => {
          const [who, what] = whatOf(line);
          return (
            <li key={line.transactionId}>
              <bdi dir="ltr">{who}</bdi> <bdi>{what}</bdi>
            </li>
          );
        })}
        {more > 0 ? <li>{t("sale.failedMore", { count: more })}</li> : null}
      </ul>
      {format.money(total, till.currency, till.currencyDivisor)}
    </div>
  );
}
