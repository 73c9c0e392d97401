import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ALERT_PLACES, alertWords } from "../../../lib/alert-words.ts";
import { alertsQuery } from "../../../lib/alerts-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { moneyOf } from "../figure-format.ts";
import classes from "./figure-card.module.css";
import { FigureCard, FigureGroup } from "./figure-card.tsx";
import type { PageProps } from "./overview-props.ts";
import { type FigurePlace, PlaceLink } from "./place-link.tsx";
import { SENDING } from "./places.ts";

const OWED_ROWS: FigurePlace = { section: "figures", search: { view: "owed" } };

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
      <NeedsCard />
    </FigureGroup>
  );
}

/** Everything that waits for the person, each with the way to it. */
function NeedsCard() {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(alertsQuery());
  const heard = data?.open.filter(({ silenced }) => silenced === undefined) ?? [];
  return (
    <li className={classes.cell}>
      <div className={classes.card}>
        <span className={classes.label}>{t("office.overview.needs.label")}</span>
        <span className={classes.value} data-tone={heard.length > 0 ? "wait" : "plain"}>
          {heard.length > 0 ? format.number(heard.length) : t("office.overview.needs.none")}
        </span>
        {heard.length > 0 ? (
          <ul className={classes.needs}>
            {heard.map((alert) => (
              <li key={alert.alertId}>
                <PlaceLink place={ALERT_PLACES[alert.kind]} className={classes.need}>
                  {alertWords(alert, t, format).title}
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
