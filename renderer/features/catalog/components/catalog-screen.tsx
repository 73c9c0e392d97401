import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import type { OfficeSectionProps } from "../../../lib/office-section.ts";
import { summaryQuery } from "../api/catalog-queries.ts";
import { CatalogFile } from "./catalog-file.tsx";
import { CatalogHistory } from "./catalog-history.tsx";
import classes from "./catalog-screen.module.css";
import { OfferBrowser } from "./offer-browser.tsx";
import { PinnedOffers } from "./pinned-offers.tsx";

const VIEWS = ["offers", "pins", "file", "history"] as const;
type View = (typeof VIEWS)[number];

type CatalogScreenProps = Pick<OfficeSectionProps, "search" | "onSearch"> & {
  readonly environment: Environment;
  /** Files are the owner's: they say what every offer costs. */
  readonly isOwner: boolean;
};

/** What the shop sells, for its owner: every offer, what the counter shows first, and what changed. */
export function CatalogScreen(props: CatalogScreenProps) {
  const { environment, isOwner, search, onSearch } = props;
  const { t } = useTranslation();
  const summary = useQuery(summaryQuery(environment));
  const views = VIEWS.filter((view) => isOwner || view !== "file");
  const view = views.find((one) => one === search.view) ?? "offers";
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <h1 className={classes.title}>{t(`office.catalog.title.${environment}`)}</h1>
        <ViewTabs
          label={t("office.catalog.views")}
          views={views.map((value) => ({ value, label: t(`office.catalog.view.${value}`) }))}
          view={view}
          onView={(next) => onSearch(next === "offers" ? {} : { view: next })}
        />
        <QueryTrouble query={summary} />
        <OpenView view={view} {...props} />
      </div>
    </main>
  );
}

function OpenView({
  view,
  isOwner: _isOwner,
  ...rest
}: CatalogScreenProps & { readonly view: View }) {
  if (view === "pins") {
    return <PinnedOffers environment={rest.environment} />;
  }
  if (view === "file") {
    return <CatalogFile environment={rest.environment} />;
  }
  if (view === "history") {
    return <CatalogHistory environment={rest.environment} />;
  }
  return <OfferBrowser {...rest} />;
}
