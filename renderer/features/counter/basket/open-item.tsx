import { useTranslation } from "react-i18next";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { FitText } from "../../../components/fit-text.tsx";
import { Flag } from "../../../components/flag.tsx";
import { offerContents } from "../../../lib/offer-title.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { SlowMark } from "../components/slow-brand.tsx";
import type { LineItem, TopupItem } from "../line-item.ts";
import classes from "./confirm-step.module.css";

interface OpenItemProps {
  readonly item: LineItem;
  readonly pausedSince: string | undefined;
}

/** The line the confirm step stands open for, in the customer's words: who, what, how much. */
export function OpenItem({ item, pausedSince }: OpenItemProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  return (
    <>
      <TopupRecipient item={item} pausedSince={pausedSince} />
      <dl className={classes.facts}>
        <div>
          <dt>
            {t("counter.delivers")}
            <span className={classes.offer}>{lineTitle(item)}</span>
          </dt>
          <dd>
            <FitText>{delivered(item, format)}</FitText>
          </dd>
        </div>
        <div>
          <dt>{t("counter.price")}</dt>
          <dd>
            <FitText>
              {format.money(item.price, item.priceCurrency, item.priceCurrencyDivisor)}
            </FitText>
          </dd>
        </div>
      </dl>
    </>
  );
}

function TopupRecipient({
  item,
  pausedSince,
}: {
  readonly item: TopupItem;
  readonly pausedSince: string | undefined;
}) {
  const format = useFormat();
  return (
    <div className={classes.recipient}>
      <p className={classes.number}>
        <FitText>{item.formatted}</FitText>
      </p>
      <p className={classes.place}>
        <Flag country={item.country} /> {format.country(item.country)}
        <span className={classes.dot} aria-hidden="true" />
        <BrandMonogram name={item.brandName} color={item.brandColor} />
        <strong>{item.brandName}</strong>
        {pausedSince === undefined ? null : <SlowMark since={pausedSince} />}
      </p>
    </div>
  );
}

/** What the phone gets: a bundle in the words of its title, a top-up as its amount. */
function delivered(item: LineItem, format: Format): string {
  const contents = item.value === undefined ? offerContents(item.title) : undefined;
  if (contents !== undefined) {
    return contents;
  }
  const { send, sendCurrency, sendCurrencyDivisor } = item;
  return send && sendCurrency && sendCurrencyDivisor
    ? format.money(send, sendCurrency, sendCurrencyDivisor, "code")
    : item.title;
}
