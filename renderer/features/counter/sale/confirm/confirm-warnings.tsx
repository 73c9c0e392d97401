import { useTranslation } from "react-i18next";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { WalletNotice } from "../../ui/wallet-words.tsx";
import type { CurrentSale } from "../basket/use-sale.ts";
import { EarlierNotice } from "../earlier/earlier-notice.tsx";
import { NumberAskNotice } from "./number-ask-notice.tsx";

/** What the clerk must know before the money is taken, the worst in the strongest tone. */
export function ConfirmWarnings({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { state, till } = sale;
  const { currency, currencyDivisor: divisor } = till;
  const isPriceChange =
    Object.keys(state.moved).length > 0 &&
    (!state.error ||
      (state.error instanceof ApiError && state.error.errorCode === "PRICE_CHANGED"));
  return (
    <>
      {sale.numberAsk ? <NumberAskNotice ask={sale.numberAsk} /> : null}
      {sale.walletShort ? <WalletNotice short={sale.walletShort} stops /> : null}
      {state.error && !isPriceChange ? (
        <ErrorNotice words={errorWords(state.error, t, format, { currency, divisor })} />
      ) : null}
      {isPriceChange ? <PriceNotice sale={sale} /> : null}
      {sale.lines
        .filter(({ belowCost }) => belowCost)
        .map(({ transactionId, item }) => (
          <Notice key={transactionId} tone="wait">
            {t("counter.belowCost", { title: lineTitle(item) })}
          </Notice>
        ))}
      <EarlierNotice verdict={sale.verdict} />
    </>
  );
}

/** Which price moved from what to what; of several, each line shows its own. */
function PriceNotice({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const { state, till, total, lines } = sale;
  const money = (minor: number) => format.money(minor, till.currency, till.currencyDivisor);
  const [only, ...others] = lines.filter(({ transactionId }) => transactionId in state.moved);
  return (
    <Notice tone="wait" loud>
      {only && others.length === 0
        ? t("counter.priceMoved", {
            title: lineTitle(only.item),
            before: money(state.moved[only.transactionId] ?? 0),
            price: money(only.item.price),
          })
        : t("counter.pricesMoved", { total: money(total) })}
    </Notice>
  );
}
