import { useTranslation } from "react-i18next";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import type { CurrentSale } from "./use-sale.ts";

/** What the clerk must know before the money is taken, the worst in the strongest tone. */
export function ConfirmWarnings({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { state, till, total } = sale;
  const { currency, currencyDivisor: divisor } = till;
  const isPriceChange =
    state.moved.length > 0 &&
    (!state.error ||
      (state.error instanceof ApiError && state.error.errorCode === "PRICE_CHANGED"));
  return (
    <>
      {state.error && !isPriceChange ? (
        <ErrorNotice words={errorWords(state.error, t, format, { currency, divisor })} />
      ) : null}
      {isPriceChange ? (
        <Notice tone="wait" loud>
          {t("counter.priceChanged", { price: format.money(total, currency, divisor) })}
        </Notice>
      ) : null}
      <EarlierNotice sale={sale} />
    </>
  );
}

/** What became of an earlier sale to this number; the worst in the strongest tone. */
function EarlierNotice({ sale }: { readonly sale: CurrentSale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { verdict } = sale;
  if (!verdict) {
    return null;
  }
  if (verdict.kind === "twice") {
    return (
      <Notice tone="wait" loud>
        <strong>{t("counter.earlierVerdict.twice", { number: verdict.twin.formatted })}</strong>
      </Notice>
    );
  }
  const { kind, earlier } = verdict;
  const time = format.moment(earlier.soldAt);
  switch (kind) {
    case "being-sent":
      return (
        <Notice tone="stop" loud>
          <strong>
            {earlier.saleNumber === undefined
              ? t("counter.earlierVerdict.beingSentUnnumbered")
              : t("counter.earlierVerdict.beingSent", { number: earlier.saleNumber })}
          </strong>
        </Notice>
      );
    case "same-again":
      return (
        <Notice tone="wait" loud>
          <strong>
            {t("counter.earlierVerdict.sameAgain", { time, number: earlier.saleNumber ?? "" })}
          </strong>
        </Notice>
      );
    case "delivered":
      return <Notice tone="info">{t("counter.earlierVerdict.delivered", { time })}</Notice>;
    case "not-delivered":
      return <Notice tone="info">{t("counter.earlierVerdict.notDelivered", { time })}</Notice>;
  }
}
