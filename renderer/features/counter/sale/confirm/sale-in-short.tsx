import { useTranslation } from "react-i18next";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useIsNarrow } from "../../../../lib/use-is-narrow.ts";
import { type AttemptLine, recipientOf } from "../attempt/line-item.ts";
import type { CurrentSale } from "../basket/use-sale.ts";

export const SALE_IN_SHORT_ID = "sale-in-short";

/** Maximum number of named lines. Further lines are only counted. */
const MAX_NAMED = 2;

/**
 * Screen readers read this summary with the payment button. It is visible where the payment covers
 * the sale: on a phone and at a large zoom.
 */
export function SaleInShort({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const isNarrow = useIsNarrow();
  const { lines, openLine, total, till } = sale;
  const inOrder = openLine ? [openLine, ...lines.filter((line) => line !== openLine)] : lines;
  const whatOf = ({ item }: AttemptLine) => [recipientOf(item) || item.brandName, lineTitle(item)];
  const more = inOrder.length - MAX_NAMED;
  return (
    <div
      id={SALE_IN_SHORT_ID}
      className={
        isNarrow
          ? "flex justify-between items-baseline gap-3 soft size-small leading-130"
          : "spoken"
      }
    >
      <ul className={isNarrow ? "min-w-0 break-anywhere" : undefined}>
        {inOrder.slice(0, MAX_NAMED).map((line) => {
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
