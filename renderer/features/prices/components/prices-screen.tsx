import { Button, SegmentedControl, Skeleton } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { IconHistory } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ENVIRONMENTS, type Environment } from "../../../../server/contract/common.ts";
import {
  type CatalogSwitch,
  officeCatalogOperations,
} from "../../../../server/contract/pos/office-catalog.ts";
import type { BlockedOffers, PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import type { PriceList } from "../../../../server/contract/pos/prices.ts";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ViewTabs } from "../../../components/view-tabs.tsx";
import { WhyPrice } from "../../../components/why-price.tsx";
import { call } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import { offerTitle } from "../../../lib/offer-title.ts";
import type { OfficeSearch, OfficeSectionProps } from "../../../lib/office-section.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import {
  blockedOffersQuery,
  PRICE_ANSWERS,
  priceListQuery,
  pricePreviewQuery,
  productCostsQuery,
  soldOffersQuery,
  undoHiding,
} from "../api/price-queries.ts";
import { countOf, withRule } from "../list-draft.ts";
import { PricesEnvironment } from "../prices-environment.ts";
import { type CurrentDraft, useListDraft } from "../use-list-draft.ts";
import { OfferSearch } from "./offer-search.tsx";
import { PreviewDialog } from "./preview-dialog.tsx";
import classes from "./prices.module.css";
import { RateView } from "./rate-view.tsx";
import { RulesView } from "./rules-view.tsx";
import { SettingsView } from "./settings-view.tsx";
import { useSaveList } from "./use-save-list.ts";
import { VersionsView } from "./versions-view.tsx";

const VIEWS = ["rules", "blocked", "settings", "rate", "why", "versions"] as const;

/** Pause after a change before the effect on prices is computed. */
const IMPACT_AFTER_MS = 600;
type View = (typeof VIEWS)[number];

function viewOf(text: string | undefined): View {
  return VIEWS.find((view) => view === text) ?? "rules";
}

export function PricesScreen({ session, search, onSearch }: OfficeSectionProps) {
  const { t } = useTranslation();
  const environment = ENVIRONMENTS.find((one) => one === search.of) ?? session.environment;
  const isOther = environment !== session.environment;
  const state = useQuery(priceListQuery(environment));
  const blocked = useQuery(blockedOffersQuery(environment));
  const view = viewOf(search.view);
  const isWanting = (blocked.data?.total ?? 0) > 0 || view === "blocked";
  const views = VIEWS.filter((one) => one !== "versions" && (one !== "blocked" || isWanting));
  const openHere = (next: OfficeSearch) =>
    onSearch({ ...(isOther && { of: environment }), ...next });
  return (
    <OfficeScreen
      title={t("office.frame.section.prices")}
      environment={environment}
      lead={
        state.data && state.data.newest > 0
          ? t("office.prices.lead", { version: state.data.newest })
          : undefined
      }
      actions={
        <>
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
          <Button
            variant="default"
            leftSection={<IconHistory size="1.125rem" aria-hidden="true" />}
            aria-current={view === "versions" ? "page" : undefined}
            onClick={() => openHere({ view: "versions" })}
          >
            {t("office.prices.view.versions")}
          </Button>
        </>
      }
      isSheet
    >
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
    </OfficeScreen>
  );
}

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

/** The views share one draft, so that unsaved changes survive a change of view. */
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

type Blocked = BlockedOffers["list"][number];

interface BlockedViewProps {
  readonly environment: Environment;
  readonly draft: CurrentDraft;
  readonly mayHide: boolean;
  readonly onWhy: (offerId: string) => void;
}

/**
 * Offers that are not for sale because of their price. The owner can raise the price or hide the
 * offer.
 */
function BlockedView({ environment, draft, mayHide, onWhy }: BlockedViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const blocked = useQuery(blockedOffersQuery(environment));
  const hiding = useHiding(environment);
  const { total = 0, list = [] } = blocked.data ?? {};
  const nameOf = ({ brandName, title }: Blocked) =>
    offerTitle(brandName, format.contents(title), format.locale);
  return (
    <div className={classes.form}>
      <p className="soft">{t("office.prices.blocked.intro")}</p>
      <QueryTrouble query={blocked} />
      <Trouble error={hiding.error} />
      {hiding.hidden ? (
        <Notice tone="info">
          <span role="status">
            {t("office.prices.blocked.hidden", { name: hiding.hidden.name })}
          </span>{" "}
          <Button variant="default" loading={hiding.isBusy} onClick={hiding.undo}>
            {t("office.catalog.undo")}
          </Button>
        </Notice>
      ) : null}
      {blocked.isSuccess && total === 0 ? (
        <Notice tone="info">{t("office.prices.blocked.none")}</Notice>
      ) : null}
      <ul className="stack gap-3" aria-label={t("office.prices.view.blocked")}>
        {list.map((offer) => (
          <li key={offer.offerId} className="stack gap-2 pad-3 frame">
            <strong>
              <bdi>{nameOf(offer)}</bdi>
            </strong>
            <span className="soft">
              {offer.isSold
                ? t("office.prices.blocked.sold")
                : t(`priceReason.blocked.${offer.blocked}`)}
            </span>
            <div className="flex wrap justify-end gap-3">
              <Raise offer={offer} unit={blocked.data} draft={draft} />
              {mayHide ? (
                <Button
                  variant="default"
                  disabled={hiding.isBusy}
                  onClick={() => hiding.hide(offer.offerId, nameOf(offer))}
                >
                  {t("office.prices.blocked.hide")}
                </Button>
              ) : null}
              <Button variant="subtle" onClick={() => onWhy(offer.offerId)}>
                {t("office.prices.blocked.why")}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {total > list.length ? (
        <p className="soft">
          {t("office.prices.preview.blockedMore", { number: format.number(total - list.length) })}
        </p>
      ) : null}
    </div>
  );
}

interface RaiseProps extends Pick<BlockedViewProps, "draft"> {
  readonly offer: Blocked;
  readonly unit: Pick<BlockedOffers, "currency" | "currencyDivisor"> | undefined;
}

/** Raises the offer's price, in the draft, to the lowest allowed price. */
function Raise({ offer, unit, draft }: RaiseProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { least } = offer;
  if (least === undefined || !unit) {
    return null;
  }
  const raised = raise(draft.list, offer, least);
  const amount = format.money(least, unit.currency, unit.currencyDivisor);
  return raised ? (
    <Button onClick={() => draft.change(raised)}>
      {t("office.prices.blocked.raise", { amount })}
    </Button>
  ) : (
    <span role="status" className="soft">
      {t("office.prices.blocked.raised", { amount })}
    </span>
  );
}

/**
 * Raises the offer's fixed price to `least`. Undefined if no rule prices the offer, or if its price
 * is high enough.
 */
function raise(list: PriceList, { offerId, rule }: Blocked, least: number): PriceList | undefined {
  if (!rule) {
    return undefined;
  }
  // The budget for selling below cost belonged to the old rule, so the new rule has none.
  const { since: _since, belowCost: _belowCost, ...old } = rule;
  const own = list.rules.find(
    ({ target, how, enabled }) => target.offerId === offerId && how === "SET" && enabled,
  );
  if (own && (own.amount ?? 0) >= least) {
    return undefined;
  }
  const kept = own ?? { ...old, ruleId: newId(), target: { offerId } };
  return withRule(list, { ...kept, amount: least });
}

function useHiding(environment: Environment) {
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<{ readonly name: string; readonly made: CatalogSwitch }>();
  const onSuccess = () => invalidateAnswers(queryClient, PRICE_ANSWERS);
  const hiding = useMutation({
    mutationFn: async ({ offerId, name }: { offerId: string; name: string }) =>
      setHidden({
        name,
        made: await call(officeCatalogOperations.switch, {
          params: { environment },
          body: { target: { offerId }, enabled: false },
        }),
      }),
    onSuccess,
  });
  const undoing = useMutation({
    mutationFn: async (made: CatalogSwitch) => {
      await undoHiding(environment, made);
      setHidden(undefined);
    },
    onSuccess,
  });
  return {
    hidden,
    hide: (offerId: string, name: string) => hiding.mutate({ offerId, name }),
    undo: () => hidden && undoing.mutate(hidden.made),
    isBusy: hiding.isPending || undoing.isPending,
    error: hiding.error ?? undoing.error,
  };
}

interface DraftBarProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly draft: CurrentDraft;
  readonly onWhy: (offerId: string) => void;
}

/** Unsaved changes can be saved only from their preview. */
function DraftBar({ environment, state, draft, onWhy }: DraftBarProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const save = useSaveList(environment, draft, () => setOpen(false));
  if (!draft.isChanged) {
    return null;
  }
  return (
    <>
      <section className={classes.bar} aria-label={t("office.prices.draft.label")}>
        <div className={classes.impact}>
          <p className="medium">
            {t("office.prices.draft.count", { number: countOf(draft.changes) })}
          </p>
          <Impact environment={environment} list={draft.list} />
        </div>
        <Button variant="default" onClick={draft.discard}>
          {t("office.prices.draft.discard")}
        </Button>
        <Button onClick={() => setOpen(true)}>{t("office.prices.draft.look")}</Button>
      </section>
      {isOpen ? (
        <PreviewDialog
          environment={environment}
          state={state}
          list={draft.list}
          changes={draft.changes}
          title={t("office.prices.preview.title")}
          saving={save}
          mayWait
          onClose={() => {
            save.reset();
            setOpen(false);
          }}
          onWhy={onWhy}
        />
      ) : null}
    </>
  );
}

interface ImpactProps {
  readonly environment: Environment;
  readonly list: PriceList;
}

function Impact({ environment, list }: ImpactProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [settled] = useDebouncedValue(list, IMPACT_AFTER_MS);
  const { data } = useQuery({
    ...pricePreviewQuery(environment, { list: settled }),
    placeholderData: (before) => before,
  });
  if (!data) return <p className="soft">{t("office.prices.draft.kept")}</p>;
  const money = (minor: number) => format.money(minor, data.currency, data.currencyDivisor);
  const increases = data.largest.flatMap(({ old, new: price }) =>
    old !== undefined && price !== undefined && price > old ? [{ old, price }] : [],
  );
  const [largest] = increases.toSorted((a, b) => b.price - b.old - (a.price - a.old));
  return (
    <p className="soft" role="status">
      {t("office.prices.draft.impact", {
        changed: format.number(data.changed),
        all: format.number(data.offers),
      })}
      {largest
        ? ` ${t("office.prices.draft.largest", {
            old: money(largest.old),
            new: money(largest.price),
          })}`
        : null}
    </p>
  );
}

interface WhyViewProps {
  readonly environment: Environment;
  readonly offerId: string | undefined;
  readonly onOffer: (offerId: string) => void;
}

/** Explains the price of a product, and which provider sells it. */
export function WhyView({ environment, offerId, onOffer }: WhyViewProps) {
  const { t } = useTranslation();
  return (
    <div className={classes.form}>
      <p className="soft">{t("office.prices.why.intro")}</p>
      <OfferSearch
        label={t("office.prices.why.search")}
        onPick={(offer) => onOffer(offer.offerId)}
      />
      {offerId === undefined ? null : (
        <>
          <WhyPrice key={offerId} environment={environment} offerId={offerId} />
          {environment === "live" ? <ProviderLine offerId={offerId} /> : null}
        </>
      )}
    </div>
  );
}

/** Names the provider that sells a product, and its cost at the others, if there are several. */
function ProviderLine({ offerId }: { readonly offerId: string }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data } = useQuery(productCostsQuery(offerId));
  const [product] = data?.list ?? [];
  const used = product?.costs.find(({ providerId }) => providerId === product.used);
  if (!data || !product || !used) return null;
  const money = (minor: number) => format.money(minor, data.currency, data.currencyDivisor);
  const others = product.costs.filter((one) => one !== used);
  return (
    <p className="soft">
      {t("office.prices.why.providers", {
        provider: used.name,
        cost: money(used.cost),
        others: others.map(({ name, cost }) => `${name} ${money(cost)}`).join(" · "),
      })}
    </p>
  );
}
