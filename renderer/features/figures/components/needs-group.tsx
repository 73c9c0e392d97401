import { useTranslation } from "react-i18next";
import type { FirstPage } from "../../../../server/contract/pos/figures.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { moneyOf } from "../figure-format.ts";
import classes from "./figure-card.module.css";
import { FigureCard, FigureGroup } from "./figure-card.tsx";
import type { PageProps } from "./overview-props.ts";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";
import { BRANDS, CASES, MONEY_TODAY, SENDING } from "./places.ts";

const OWED_ROWS: FigurePlace = { section: "figures", search: { view: "owed" } };

/** Where each need is seen to. */
const PLACES: Readonly<Record<FirstPage["needs"][number]["what"], FigurePlace>> = {
  RECONCILE: CASES,
  REFUND: OWED_ROWS,
  PAUSED_BRANDS: BRANDS,
  TIE_OUT: MONEY_TODAY,
  WALLET_EMPTY: { section: "wallet" },
};

/** What needs me: what has no outcome yet, whose money is owed, and everything else that waits. */
export function NeedsGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, page);
  const { sending, refundsDue } = page;
  const waiting = ({ lines, amount, oldest }: typeof refundsDue, none: string) =>
    lines === 0
      ? [none]
      : [
          t("office.overview.sending.money", { amount: money(amount) }),
          ...(oldest ? [t("office.overview.oldest", { time: format.moment(oldest) })] : []),
        ];
  return (
    <FigureGroup question={t("office.overview.question.needs")}>
      <FigureCard
        label={t("office.overview.sending.label")}
        value={format.number(sending.lines)}
        tone={sending.lines > 0 ? "wait" : "plain"}
        base={waiting(sending, t("office.overview.sending.none"))}
        place={SENDING}
      />
      <FigureCard
        label={t("office.overview.refunds.label")}
        value={format.number(refundsDue.lines)}
        tone={refundsDue.lines > 0 ? "bad" : "plain"}
        base={waiting(refundsDue, t("office.overview.refunds.none"))}
        place={OWED_ROWS}
      />
      <NeedsCard page={page} />
    </FigureGroup>
  );
}

/** Everything that waits for the owner, each with the way to it. */
function NeedsCard({ page: { needs } }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  return (
    <li className={classes.cell}>
      <div className={classes.card}>
        <span className={classes.label}>{t("office.overview.needs.label")}</span>
        <span className={classes.value} data-tone={needs.length > 0 ? "wait" : "plain"}>
          {needs.length > 0 ? format.number(needs.length) : t("office.overview.needs.none")}
        </span>
        {needs.length > 0 ? (
          <ul className={classes.needs}>
            {needs.map(({ what, count }) => (
              <li key={what}>
                <PlaceLink place={PLACES[what]} className={classes.need}>
                  {t(`office.overview.needs.${what}`, { number: format.number(count) })}
                </PlaceLink>
              </li>
            ))}
          </ul>
        ) : (
          <span className={classes.base}>{t("office.overview.needs.well")}</span>
        )}
      </div>
    </li>
  );
}
