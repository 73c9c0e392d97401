import { useTranslation } from "react-i18next";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import type { SalesScreenProps } from "../sales-screen-props.ts";
import { type SalesView, viewsFor } from "../sales-search.ts";
import { BrandsView } from "./brands-view.tsx";
import { CasesView } from "./cases-view.tsx";
import { FindView } from "./find-view.tsx";
import { OwedView } from "./owed-view.tsx";
import { ReportsView } from "./reports-view.tsx";
import classes from "./sales-office.module.css";
import { TransactionView } from "./transaction-view.tsx";

/** Everything that was bought, and what waits for a decision. */
export function SalesScreen(props: SalesScreenProps) {
  const { t } = useTranslation();
  const { session, search, onSearch } = props;
  const views = viewsFor(session.rights);
  const [first = "find"] = views;
  const view = views.find((one) => one === search.view) ?? first;
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <h1 className={classes.title}>{t(`office.sales.title.${session.environment}`)}</h1>
        <ViewTabs
          label={t("office.sales.views")}
          views={views.map((value) => ({ value, label: t(`office.sales.view.${value}`) }))}
          view={view}
          onView={(next) => onSearch(next === first ? {} : { view: next })}
        />
        {search.id === undefined ? (
          <View {...props} view={view} />
        ) : (
          <TransactionView {...props} key={search.id} transactionId={search.id} />
        )}
      </div>
    </main>
  );
}

function View({ view, ...props }: SalesScreenProps & { readonly view: SalesView }) {
  switch (view) {
    case "cases":
      return <CasesView {...props} />;
    case "brands":
      return <BrandsView {...props} />;
    case "reports":
      return <ReportsView {...props} />;
    case "owed":
      return <OwedView {...props} />;
    default:
      return <FindView {...props} isWaiting={view === "waiting"} />;
  }
}
