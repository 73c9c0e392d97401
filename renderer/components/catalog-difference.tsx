import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type {
  CostChange,
  CatalogDifference as DifferenceFacts,
} from "../../server/contract/pos/upstream.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./catalog-difference.module.css";
import { LeftOut } from "./left-out.tsx";
import { Notice } from "./notice.tsx";

interface CatalogDifferenceProps {
  readonly title: string;
  readonly difference: DifferenceFacts;
  readonly isTaking: boolean;
  readonly onTake: () => void;
  readonly children?: ReactNode;
}

const COUNTS = ["added", "removed", "cheaper", "dearer", "changed"] as const;

export function CatalogDifference(props: CatalogDifferenceProps) {
  const { title, difference, isTaking, onTake, children } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { offers, costChanges, forCountry } = difference;
  return (
    <div className={classes.difference}>
      <h3 className="size-body strong">{title}</h3>
      <dl className={classes.counts}>
        {COUNTS.map((count) => (
          <div key={count} data-count={count}>
            <dt className="soft size-caption">{t(`office.live.catalog.count.${count}`)}</dt>
            <dd className="size-heading strong tabular">{format.number(offers[count])}</dd>
          </div>
        ))}
      </dl>
      {forCountry ? (
        <Notice tone={forCountry.offers > 0 ? "info" : "wait"}>
          {t("office.live.catalog.forCountry", {
            country: format.country(forCountry.country),
            number: format.number(forCountry.offers),
          })}
        </Notice>
      ) : null}
      {costChanges.length > 0 ? <CostChanges changes={costChanges} /> : null}
      <Named title={t("office.live.catalog.named.added")} offers={difference.added} />
      <Named title={t("office.live.catalog.named.removed")} offers={difference.removed} />
      <LeftOut {...difference} />
      <div className="flex wrap gap-3">
        <Button loading={isTaking} onClick={onTake}>
          {t("office.live.catalog.take")}
        </Button>
        {children}
      </div>
    </div>
  );
}

function CostChanges({ changes }: { readonly changes: readonly CostChange[] }) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <div>
      <h4 className="size-body strong">{t("office.live.catalog.largest")}</h4>
      <ul className={classes.changes}>
        {changes.map(({ offerId, brandName, country, percent, fixed }) => (
          <li key={offerId} className={classes.change}>
            <span className={classes.grow}>
              <bdi>{brandName}</bdi> · {format.country(country)}
              <br />
              <small className="soft" dir="ltr">
                {offerId}
              </small>
            </span>
            {fixed ? (
              <span>
                {t("office.live.catalog.beforeAfter", {
                  before: format.money(fixed.before, fixed.currency, fixed.currencyDivisor, "code"),
                  after: format.money(fixed.after, fixed.currency, fixed.currencyDivisor, "code"),
                })}
              </span>
            ) : null}
            <strong className={percent > 0 ? "bad" : "good"}>
              {t(percent > 0 ? "office.live.catalog.dearer" : "office.live.catalog.cheaper", {
                percent: format.percent(Math.abs(percent)),
              })}
            </strong>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface NamedProps {
  readonly title: string;
  readonly offers: DifferenceFacts["added"];
}

function Named({ title, offers }: NamedProps) {
  const format = useFormat();
  return offers.length === 0 ? null : (
    <details>
      <summary className={classes.summary}>{title}</summary>
      <ul className={classes.changes}>
        {offers.map(({ offerId, brandName, country }) => (
          <li key={offerId} className={classes.change}>
            <span className={classes.grow}>
              <bdi>{brandName}</bdi> · {format.country(country)}
            </span>
            <small className="soft" dir="ltr">
              {offerId}
            </small>
          </li>
        ))}
      </ul>
    </details>
  );
}
