import { useTranslation } from "react-i18next";
import { useFormat } from "../../../lib/use-format.ts";
import { varianceWords } from "../../../lib/variance-words.ts";
import { moneyOf } from "../figure-format.ts";
import { FigureCard, FigureGroup } from "./figure-card.tsx";
import type { PageProps } from "./overview-props.ts";
import { MONEY_TODAY, SHIFTS } from "./places.ts";

/** Is the money there: in the drawers, in those that were counted, and in the wallet. */
export function MoneyGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const money = moneyOf(format, page);
  const { drawers, lastDifference, differences } = page;
  const cash = drawers.reduce((sum, { expectedCash }) => sum + expectedCash, 0);
  return (
    <FigureGroup question={t("office.overview.question.money")}>
      <FigureCard
        label={t("office.overview.drawers.label")}
        value={money(cash)}
        base={
          drawers.length > 0
            ? drawers.map(({ name, expectedCash }) =>
                t("common.labelled", { label: name, value: money(expectedCash) }),
              )
            : [t("office.overview.drawers.none")]
        }
        place={SHIFTS}
      />
      <FigureCard
        label={t("office.overview.difference.label")}
        value={lastDifference ? money(lastDifference.difference) : "–"}
        tone={(lastDifference?.difference ?? 0) < 0 ? "bad" : "plain"}
        base={
          lastDifference
            ? [
                varianceWords(lastDifference.difference, t, money),
                t("office.overview.difference.base", {
                  name: lastDifference.name,
                  number: lastDifference.zNumber,
                  time: format.moment(lastDifference.closedAt),
                }),
                ...differences.map(({ name, shifts, difference }) =>
                  t("office.overview.difference.person", {
                    name,
                    shifts,
                    amount: money(difference),
                  }),
                ),
              ]
            : [t("office.overview.difference.none")]
        }
        place={SHIFTS}
      />
      <TieOutCard page={page} />
    </FigureGroup>
  );
}

/** What the wallet spent, led back to the cost of what was sold. */
function TieOutCard({ page: { tieOut } }: PageProps) {
  const { t } = useTranslation();
  const money = moneyOf(useFormat(), tieOut);
  const { costSold, walletSpent, difference } = tieOut;
  return (
    <FigureCard
      label={t("office.overview.tieOut.label")}
      value={
        difference === 0
          ? t("office.overview.tieOut.agrees")
          : t("office.overview.tieOut.apart", { amount: money(difference) })
      }
      tone={difference === 0 ? "good" : "bad"}
      base={[
        t("office.overview.tieOut.base", {
          cost: money(costSold),
          explained: money(walletSpent - difference - costSold),
          spent: money(walletSpent),
        }),
      ]}
      place={MONEY_TODAY}
    />
  );
}
