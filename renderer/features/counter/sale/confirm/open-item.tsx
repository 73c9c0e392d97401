import { useTranslation } from "react-i18next";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { FitText } from "../../../../components/fit-text.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { WorksIn } from "../../../../components/works-in.tsx";
import { kindWords } from "../../../../lib/kind-words.ts";
import { offerContents } from "../../../../lib/offer-title.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { fieldLabel } from "../../picker/fields/field-label.ts";
import { PauseMark } from "../../ui/brand-pause.tsx";
import type { Pause } from "../../ui/pause.ts";
import type { AttemptLine, LineItem } from "../attempt/line-item.ts";
import classes from "./confirm-step.module.css";
import type { LineDetails } from "./line-details.ts";

interface OpenItemProps {
  readonly line: AttemptLine;
  readonly details: LineDetails;
  readonly pause: Pause | undefined;
  /** The price that was told, where it has changed. */
  readonly told: number | undefined;
  /** Whether it is all of the sale: its price is the total then, which stands beside it. */
  readonly isAlone: boolean;
}

/** The line that the confirm step is open for, in the customer's words: who, what, how much. */
export function OpenItem({ line, details, pause, told, isAlone }: OpenItemProps) {
  const { item, discount = 0 } = line;
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const head = details.headOf(item, t);
  const money = (minor: number) =>
    format.money(minor, item.priceCurrency, item.priceCurrencyDivisor);
  return (
    <>
      <div className={classes.recipient}>
        <p className={classes.number}>
          <FitText>{head}</FitText>
        </p>
        <p className={classes.place}>
          {item.country ? (
            <>
              <Flag country={item.country} /> {format.country(item.country)}
              <span className={classes.dot} aria-hidden="true" />
            </>
          ) : null}
          <BrandFace brand={item.brand} name={item.brandName} color={item.brandColor} />
          {head === item.brandName ? null : (
            <strong>
              <bdi>{item.brandName}</bdi>
            </strong>
          )}
          {details.Beside ? <details.Beside item={item} /> : null}
          {pause ? <PauseMark pause={pause} /> : null}
        </p>
        {details.Below ? <details.Below item={item} /> : null}
        <GivenFields item={item} />
      </div>
      <dl className={classes.facts} data-beside-total>
        <div>
          <dt>
            {t(`family.${item.productType}.delivers`)}
            <span className={classes.offer}>{lineTitle(item)}</span>
          </dt>
          <dd>
            <FitText>{delivered(item, format)}</FitText>
          </dd>
        </div>
        {isAlone && discount === 0 && told === undefined ? null : (
          <div>
            <dt>
              {t("counter.price")}
              {discount > 0 ? (
                <span className={classes.offer}>
                  {t("counter.discounted", { price: money(item.price), discount: money(discount) })}
                </span>
              ) : null}
            </dt>
            <dd>
              {told === undefined ? null : (
                <del className={classes.told}>
                  <span className="spoken">{t("counter.before")} </span>
                  {money(told)}
                </del>
              )}
              <FitText>{money(item.price - discount)}</FitText>
            </dd>
          </div>
        )}
      </dl>
    </>
  );
}

/** The customer's fields, under the brand's own labels. */
function GivenFields({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { area, fields, service, due, sendCurrency, sendCurrencyDivisor } = item;
  if (area) {
    return <WorksIn area={area} />;
  }
  if (!fields) {
    return null;
  }
  return (
    <dl className={classes.given}>
      {service === undefined ? null : (
        <div className={classes.givenField}>
          <dt>{t("counter.bill.service")}</dt>
          <dd>{kindWords(service, t)}</dd>
        </div>
      )}
      {due !== undefined && sendCurrency && sendCurrencyDivisor ? (
        <div className={classes.givenField}>
          <dt>{t("counter.bill.amountDue")}</dt>
          <dd>{format.money(due, sendCurrency, sendCurrencyDivisor, "code")}</dd>
        </div>
      ) : null}
      {fields.map(({ key, label, shown }) => (
        <div key={key} className={classes.givenField}>
          <dt>{fieldLabel(label, t)}</dt>
          <dd>{shown}</dd>
        </div>
      ))}
    </dl>
  );
}

/** What is delivered: a bundle or plan in the words of its title, anything else as its amount. */
function delivered(item: LineItem, format: Format): string {
  const contents = item.value === undefined ? offerContents(item.title) : undefined;
  if (contents !== undefined) {
    return format.contents(contents);
  }
  const { send, sendCurrency, sendCurrencyDivisor } = item;
  return send && sendCurrency && sendCurrencyDivisor
    ? format.money(send, sendCurrency, sendCurrencyDivisor, "code")
    : item.title;
}
