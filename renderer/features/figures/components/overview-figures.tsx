import { useTranslation } from "react-i18next";
import { EarnedGroup } from "./earned-group.tsx";
import classes from "./figure-card.module.css";
import { FigureCard, FigureGroup } from "./figure-card.tsx";
import { MoneyGroup } from "./money-group.tsx";
import { NeedsGroup } from "./needs-group.tsx";
import type { PageProps } from "./overview-props.ts";
import { PURCHASES } from "./places.ts";
import { useSellLines } from "./sell-lines.ts";

/** The twelve figures of the first page, under the questions that they answer. */
export function OverviewFigures({ page }: PageProps) {
  return (
    <div className={classes.groups}>
      <SellGroup page={page} />
      <MoneyGroup page={page} />
      <EarnedGroup page={page} />
      <NeedsGroup page={page} />
    </div>
  );
}

/** Can we sell: the float, what arrives, and which offers and brands do not. */
function SellGroup({ page }: PageProps) {
  const { t } = useTranslation();
  const { float, success, offers } = useSellLines(page);
  return (
    <FigureGroup question={t("office.overview.question.sell")}>
      <FigureCard
        label={t("office.overview.float.label")}
        {...float}
        place={{ section: "wallet" }}
      />
      <FigureCard label={t("office.overview.success.label")} {...success} place={PURCHASES} />
      <FigureCard
        label={t("office.overview.offers.label")}
        {...offers}
        place={{
          section: "prices",
          ...(page.blockedOffers > 0 && { search: { view: "blocked" } }),
        }}
      />
    </FigureGroup>
  );
}
