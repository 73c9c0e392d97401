import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { CatalogSwitch } from "../../../../server/contract/pos/office-catalog.ts";
import type { BlockedOffers } from "../../../../server/contract/pos/price-lists.ts";
import type { PriceList } from "../../../../server/contract/pos/prices.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { newId } from "../../../lib/new-id.ts";
import { offerTitle } from "../../../lib/offer-title.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { blockedOffersQuery, hideOffer, PRICE_ANSWERS, undoHiding } from "../api/price-queries.ts";
import { withRule } from "../list-draft.ts";
import type { CurrentDraft } from "../use-list-draft.ts";
import listClasses from "./price-lists.module.css";
import classes from "./prices.module.css";

type Blocked = BlockedOffers["list"][number];

interface BlockedViewProps {
  readonly environment: Environment;
  readonly draft: CurrentDraft;
  /** Whether this person may hide offers, too. */
  readonly mayHide: boolean;
  readonly onWhy: (offerId: string) => void;
}

/** What is not sold because no price covers what it costs: each is raised, or hidden. */
export function BlockedView({ environment, draft, mayHide, onWhy }: BlockedViewProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const blocked = useQuery(blockedOffersQuery(environment));
  const hiding = useHiding(environment);
  const { total = 0, list = [] } = blocked.data ?? {};
  const nameOf = ({ brandName, title }: Blocked) => offerTitle(brandName, format.contents(title));
  return (
    <div className={classes.form}>
      <p className={classes.soft}>{t("office.prices.blocked.intro")}</p>
      <QueryTrouble query={blocked} />
      {hiding.error ? <ErrorNotice words={errorWords(hiding.error, t, format)} /> : null}
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
      <ul className={listClasses.wanting} aria-label={t("office.prices.view.blocked")}>
        {list.map((offer) => (
          <li key={offer.offerId}>
            <strong>
              <bdi>{nameOf(offer)}</bdi>
            </strong>
            <span className={classes.soft}>
              {offer.isSold
                ? t("office.prices.blocked.sold")
                : t(`priceReason.blocked.${offer.blocked}`)}
            </span>
            <div className={classes.buttons}>
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
        <p className={classes.soft}>
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

/** Sets the least price that the offer may have, among the changes that are looked at before they are saved. */
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
    <span role="status" className={classes.soft}>
      {t("office.prices.blocked.raised", { amount })}
    </span>
  );
}

/** The list with the offer at a price; undefined where it has that already. */
function raise(list: PriceList, { offerId, rule }: Blocked, least: number): PriceList | undefined {
  if (!rule) {
    return undefined;
  }
  // A loss that a rule allows has one budget: a rule of the same kind beside it has none.
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

/** Switches an offer off in the catalog, and on again. */
function useHiding(environment: Environment) {
  const queryClient = useQueryClient();
  const [hidden, setHidden] = useState<{ readonly name: string; readonly made: CatalogSwitch }>();
  const onSuccess = () => invalidateAnswers(queryClient, PRICE_ANSWERS);
  const hiding = useMutation({
    mutationFn: async ({ offerId, name }: { offerId: string; name: string }) =>
      setHidden({ name, made: await hideOffer(environment, offerId) }),
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
