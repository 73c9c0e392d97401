import { SegmentedControl, Skeleton } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ENVIRONMENTS, type Environment } from "../../../../server/contract/common.ts";
import type { PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import type { OfficeSearch, OfficeSectionProps } from "../../../lib/office-section.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { blockedOffersQuery, priceListQuery, soldOffersQuery } from "../api/price-queries.ts";
import { PricesEnvironment } from "../prices-environment.ts";
import { useListDraft } from "../use-list-draft.ts";
import { BlockedView } from "./blocked-view.tsx";
import { DraftBar } from "./draft-bar.tsx";
import classes from "./prices.module.css";
import { RateView } from "./rate-view.tsx";
import { RulesView } from "./rules-view.tsx";
import { SettingsView } from "./settings-view.tsx";
import { VersionsView } from "./versions-view.tsx";
import { WhyView } from "./why-view.tsx";

const VIEWS = ["rules", "blocked", "settings", "rate", "why", "versions"] as const;
type View = (typeof VIEWS)[number];

function viewOf(text: string | undefined): View {
  return VIEWS.find((view) => view === text) ?? "rules";
}

/** How the shop's prices are made; for the owner. */
export function PricesScreen({ session, search, onSearch }: OfficeSectionProps) {
  const { t } = useTranslation();
  const environment = ENVIRONMENTS.find((one) => one === search.of) ?? session.environment;
  const isOther = environment !== session.environment;
  const state = useQuery(priceListQuery(environment));
  const blocked = useQuery(blockedOffersQuery(environment));
  const view = viewOf(search.view);
  const isWanting = (blocked.data?.total ?? 0) > 0 || view === "blocked";
  const views = VIEWS.filter((one) => one !== "blocked" || isWanting);
  const openHere = (next: OfficeSearch) =>
    onSearch({ ...(isOther && { of: environment }), ...next });
  return (
    <main className={classes.screen}>
      <div className={classes.sheet}>
        <div className={classes.head}>
          <h1 className={classes.title}>
            {isOther
              ? t(`office.prices.other.title.${environment}`)
              : t(`office.prices.title.${environment}`)}
          </h1>
          <SegmentedControl<Environment>
            aria-label={t("office.prices.other.whose")}
            data={ENVIRONMENTS.map((value) => ({
              value,
              label: t(`office.settings.env.${value}`),
            }))}
            value={environment}
            onChange={(chosen) =>
              onSearch({ ...search, of: chosen === session.environment ? "" : chosen })
            }
          />
        </div>
        {isOther ? <OtherNotice environment={environment} /> : null}
        <ViewTabs
          label={t("office.prices.views")}
          views={views.map((value) => ({ value, label: t(`office.prices.view.${value}`) }))}
          view={view}
          onView={(chosen) => openHere(chosen === "rules" ? {} : { view: chosen })}
        />
        <QueryTrouble query={state} />
        {state.isPending && !troubleOf(state) ? <Loading /> : null}
        {state.data ? (
          <PricesEnvironment value={environment}>
            <Views
              key={environment}
              environment={environment}
              state={state.data}
              view={view}
              search={search}
              onSearch={openHere}
              mayHide={session.rights.changeCatalog}
            />
          </PricesEnvironment>
        ) : null}
      </div>
    </main>
  );
}

/** Said where the list is not the one that the tills sell by. */
function OtherNotice({ environment }: { readonly environment: Environment }) {
  const { t } = useTranslation();
  const offers = useQuery(soldOffersQuery(environment));
  return (
    <Notice tone="info">
      {t(`office.prices.other.notice.${environment}`)}{" "}
      {offers.data?.groups.length === 0 ? t(`office.prices.other.noOffers.${environment}`) : null}
    </Notice>
  );
}

function Loading() {
  const { t } = useTranslation();
  return (
    <div className={classes.group} role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height="3.5rem" radius="md" />
      <Skeleton height="5rem" radius="md" />
      <Skeleton height="5rem" radius="md" />
    </div>
  );
}

interface ViewsProps extends Pick<OfficeSectionProps, "search" | "onSearch"> {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly view: View;
  readonly mayHide: boolean;
}

/** What is changed and not saved yet stays from one view to the other. */
function Views({ environment, state, view, search, onSearch, mayHide }: ViewsProps) {
  const draft = useListDraft(environment, state);
  const onWhy = (offerId: string) => onSearch({ view: "why", offer: offerId });
  return (
    <>
      {view === "rules" ? <RulesView state={state} draft={draft} /> : null}
      {view === "blocked" ? <BlockedView {...{ environment, draft, mayHide, onWhy }} /> : null}
      {view === "settings" ? <SettingsView state={state} draft={draft} /> : null}
      {view === "rate" ? <RateView environment={environment} state={state} onWhy={onWhy} /> : null}
      {view === "why" ? (
        <WhyView environment={environment} offerId={search.offer} onOffer={onWhy} />
      ) : null}
      {view === "versions" ? (
        <VersionsView environment={environment} state={state} onWhy={onWhy} />
      ) : null}
      <DraftBar environment={environment} state={state} draft={draft} onWhy={onWhy} />
    </>
  );
}
