import { useTranslation } from "react-i18next";
import type { PriceChange, PricePreview } from "../../../../server/contract/pos/price-lists.ts";
import { Notice } from "../../../components/notice.tsx";
import { offerTitle } from "../../../lib/offer-title.ts";
import { type Format, useFormat } from "../../../lib/use-format.ts";
import listClasses from "./price-lists.module.css";
import classes from "./prices.module.css";

interface PreviewFiguresProps {
  readonly preview: PricePreview;
  readonly onWhy: (offerId: string) => void;
}

export function PreviewFigures({ preview, onWhy }: PreviewFiguresProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { blocked, shortened, soldAgain, largest, blockedOffers } = preview;
  return (
    <>
      <Counts preview={preview} />
      {largest.length > 0 ? <Changes preview={preview} /> : null}
      {largest.length === 0 && soldAgain === 0 ? (
        <Notice tone="info">{t("office.prices.preview.same")}</Notice>
      ) : null}
      {blocked > 0 ? (
        <section aria-labelledby="preview-blocked" className={classes.group}>
          <h3 id="preview-blocked" className="size-label">
            {t("office.prices.preview.blockedTitle")}
          </h3>
          <p className="soft">{t("office.prices.preview.blockedHint")}</p>
          <ul className={listClasses.blocked}>
            {blockedOffers.map((offer) => (
              <li key={offer.offerId}>
                <button
                  type="button"
                  className={listClasses.offer}
                  onClick={() => onWhy(offer.offerId)}
                >
                  <span>{nameOf(offer, format)}</span>
                  <span className="soft">
                    {offer.blocked ? t(`priceReason.blocked.${offer.blocked}`) : null}
                  </span>
                </button>
              </li>
            ))}
          </ul>
          {blocked > blockedOffers.length ? (
            <p className="soft">
              {t("office.prices.preview.blockedMore", {
                number: format.number(blocked - blockedOffers.length),
              })}
            </p>
          ) : null}
        </section>
      ) : null}
      {shortened > 0 ? <Shortened preview={preview} onWhy={onWhy} /> : null}
    </>
  );
}

const FIGURE = "size-label strong tabular";

function Counts({ preview }: Pick<PreviewFiguresProps, "preview">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { offers, dearer, cheaper, blocked, shortened, soldAgain, marginPercent } = preview;
  const counts = {
    offers,
    dearer,
    cheaper,
    blocked,
    ...(shortened > 0 && { shortened }),
    ...(soldAgain > 0 && { soldAgain }),
  };
  return (
    <dl className={listClasses.tiles}>
      {Object.entries(counts).map(([name, value]) => (
        <div key={name} className={listClasses.tile}>
          <dt className="soft size-caption">
            {t(`office.prices.preview.figure.${name as "offers"}`)}
          </dt>
          {/* A new key per figure replaces the element instead of animating it. */}
          <dd key={value} className={`${FIGURE} ${name === "blocked" && value > 0 ? "bad" : ""}`}>
            {format.number(value)}
          </dd>
        </div>
      ))}
      <div className={listClasses.tile}>
        <dt className="soft size-caption">{t("office.prices.preview.figure.margin")}</dt>
        <dd className={FIGURE}>
          {t("office.prices.preview.oldNew", {
            old: format.percent(marginPercent.old),
            new: format.percent(marginPercent.new),
          })}
        </dd>
      </div>
    </dl>
  );
}

/** Any-amount offers that would lose their smallest or largest amounts. */
function Shortened({ preview, onWhy }: PreviewFiguresProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { shortened, shortenedOffers, currency, currencyDivisor } = preview;
  const range = (min: number, max: number) =>
    t("office.prices.preview.range", {
      from: format.money(min, currency, currencyDivisor),
      to: format.money(max, currency, currencyDivisor),
    });
  return (
    <section aria-labelledby="preview-shortened" className={classes.group}>
      <h3 id="preview-shortened" className="size-label">
        {t("office.prices.preview.shortenedTitle")}
      </h3>
      <p className="soft">{t("office.prices.preview.shortenedHint")}</p>
      <ul className={listClasses.blocked}>
        {shortenedOffers.map((offer) => (
          <li key={offer.offerId}>
            <button
              type="button"
              className={listClasses.offer}
              onClick={() => onWhy(offer.offerId)}
            >
              <span>{nameOf(offer, format)}</span>
              <span className="soft">
                {t("office.prices.preview.shortenedTo", {
                  now: range(offer.min, offer.max),
                  full: range(offer.fullMin, offer.fullMax),
                })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      {shortened > shortenedOffers.length ? (
        <p className="soft">
          {t("office.prices.preview.blockedMore", {
            number: format.number(shortened - shortenedOffers.length),
          })}
        </p>
      ) : null}
    </section>
  );
}

function nameOf(
  { brandName, title }: Pick<PriceChange, "brandName" | "title">,
  { contents, locale }: Pick<Format, "contents" | "locale">,
): string {
  return offerTitle(brandName, contents(title), locale);
}

/** Sorted by percentage of the old price. */
function Changes({ preview }: Pick<PreviewFiguresProps, "preview">) {
  const { t } = useTranslation();
  const format = useFormat();
  const { largest, currency, currencyDivisor } = preview;
  const money = (minor: number | undefined) =>
    minor === undefined ? "–" : format.money(minor, currency, currencyDivisor);
  const by = ({ old = 0, new: is = 0 }: PriceChange) => {
    const percent = format.percent(Math.round((is / Math.max(1, old) - 1) * 1000) / 10);
    return is > old ? `+${percent}` : percent;
  };
  return (
    <section aria-labelledby="preview-largest" className={classes.group}>
      <h3 id="preview-largest" className="size-label">
        {t("office.prices.preview.largest")}
      </h3>
      <table className={listClasses.table}>
        <thead>
          <tr>
            <th scope="col">{t("office.prices.preview.column.offer")}</th>
            <th scope="col">{t("office.prices.preview.column.old")}</th>
            <th scope="col">{t("office.prices.preview.column.new")}</th>
            <th scope="col">{t("office.prices.preview.column.by")}</th>
          </tr>
        </thead>
        <tbody>
          {largest.map((change) => (
            <tr key={change.offerId}>
              <th scope="row">{nameOf(change, format)}</th>
              <td data-label={t("office.prices.preview.column.old")}>{money(change.old)}</td>
              <td data-label={t("office.prices.preview.column.new")}>
                <strong>{money(change.new)}</strong>
              </td>
              <td data-label={t("office.prices.preview.column.by")} dir="ltr">
                {by(change)}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
