import { useTranslation } from "react-i18next";
import type { LeftLine, TillState } from "../../../../server/contract/pos/till-environment.ts";
import { OutcomeBadge } from "../../../components/outcome-badge.tsx";
import { useFormat } from "../../../lib/use-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import classes from "./going-live-screen.module.css";

const MINUTE_MS = 60_000;

/** Sales where the shop no longer sells: until when they are tried, and their outcome. */
export function LeftSales({ left }: { readonly left: TillState["left"] }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { environment, lines, total } = left;
  const unlisted = total - lines.filter(({ finishedAt }) => finishedAt === undefined).length;
  return (
    <section className={classes.section} aria-labelledby="live-left">
      <h2 id="live-left" className={classes.legend}>
        {t(`goLive.left.${environment}.title`)}
      </h2>
      <p className={classes.soft}>
        {total === 0
          ? t(`goLive.left.${environment}.none`)
          : t("goLive.left.number", { number: format.number(total) })}
      </p>
      {lines.length === 0 ? null : (
        <ul className={classes.checks} aria-labelledby="live-left">
          {lines.map((line) => (
            <LeftRow key={line.transactionId} line={line} />
          ))}
        </ul>
      )}
      {unlisted > 0 ? (
        <p className={classes.soft}>{t("goLive.left.more", { number: format.number(unlisted) })}</p>
      ) : null}
    </section>
  );
}

function LeftRow({ line }: { readonly line: LeftLine }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow(MINUTE_MS);
  const { saleNumber: number, finishedAt } = line;
  const amount = format.money(line.price, line.currency, line.currencyDivisor);
  return (
    <li className={classes.sale}>
      <span className={classes.words}>
        <span>
          <bdi>{line.brandName}</bdi> <bdi dir="ltr">{line.recipient}</bdi> · {amount} ·{" "}
          <bdi>{line.seller}</bdi>
        </span>
        <span className={classes.small}>
          {finishedAt === undefined
            ? t("shift.close.until", { number, until: format.until(line.keepTryingUntil, now) })
            : t("goLive.left.finished", { number, time: format.moment(finishedAt) })}
        </span>
        {line.owed && line.environment === "live" ? (
          <strong>{t("goLive.left.owed", { amount })}</strong>
        ) : null}
      </span>
      <OutcomeBadge outcome={line.outcome} />
    </li>
  );
}
