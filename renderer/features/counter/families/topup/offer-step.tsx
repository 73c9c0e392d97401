import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { OutcomeBadge } from "../../../../components/outcome-badge.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { useAnnounced } from "../../../../lib/announcer.ts";
import { areWhole } from "../../../../lib/money.ts";
import { letGo } from "../../../../lib/rest-focus.ts";
import { tabStop } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { useLineTitle } from "../../../../lib/use-line-title.ts";
import { hasFailed } from "../../ui/asked.ts";
import { PageTurner } from "../../ui/page-turner.tsx";
import { PromoNotes } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import { WalletNotice } from "../../ui/wallet-words.tsx";
import { TAB_LETTERS } from "./offer-pages.ts";
import classes from "./offer-step.module.css";
import { OfferTile } from "./offer-tile.tsx";
import { lastSale } from "./topup-state.ts";
import type { TopupStepProps } from "./topup-step.ts";
import type { Topup } from "./use-topup.ts";

/** What can be sold to the number: tabs by kind, and tiles that carry the digit that picks them. */
export function OfferStep({ topup }: TopupStepProps) {
  const { t } = useTranslation();
  const { state, view, offers, brand } = topup;
  const found = offers.data?.list.length;
  useAnnounced(
    found === undefined || found === 0 ? undefined : t("counter.spoken.found", { count: found }),
  );
  useAnnounced(found === 0 ? t("counter.noOffers", { brand: brand?.brandName ?? "" }) : undefined);
  const focusedAt = view.tiles.findIndex(({ offerId }) => offerId === state.focusedTile);
  const whole = view.tiles.every(({ send }) => areWhole([send.fixed ?? 0], send.currencyDivisor));
  return (
    <section className={stepClasses.card} aria-label={t("counter.offersTitle")}>
      <h1 className="spoken">{t("counter.offersTitle")}</h1>
      <div className={stepClasses.head}>
        <OfferTabs topup={topup} />
        <PageTurner
          page={view.page}
          pages={view.pages}
          onTurn={(page) => topup.dispatch({ type: "page-turned", page })}
        />
      </div>
      <QueryTrouble query={offers} />
      {offers.data?.list.length === 0 ? (
        <Notice tone="wait">{t("counter.noOffers", { brand: brand?.brandName ?? "" })}</Notice>
      ) : null}
      {view.tiles.some(topup.cannotPay) ? <WalletNotice short={topup.walletShort} /> : null}
      <PromoNotes promos={topup.promosOn.promos} />
      <SameAsLast topup={topup} />
      <fieldset
        id="offer-tiles"
        className={stepClasses.tiles}
        {...OWN_KEYS}
        aria-label={t("counter.offersTitle")}
      >
        {offers.isPending && !hasFailed(offers)
          ? ["a", "b", "c", "d", "e", "f"].map((tile) => (
              <Skeleton key={tile} height="7.25rem" radius="md" />
            ))
          : view.tiles.map((offer, index) => (
              <OfferTile
                key={offer.offerId}
                offer={offer}
                digit={index + 1}
                whole={whole}
                isOff={topup.pause?.byHand ?? false}
                isShort={topup.cannotPay(offer)}
                promo={topup.promosOn.of(offer.offerId)}
                focused={state.focusedTile === offer.offerId}
                onPick={() => topup.pickOffer(offer)}
                isTabStop={tabStop(index, focusedAt) === 0}
                onFocus={() => topup.dispatch({ type: "tile-focused", id: offer.offerId })}
              />
            ))}
      </fieldset>
    </section>
  );
}

function OfferTabs({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { view, offers } = topup;
  if (view.subTypes.length === 0) {
    // Their place is kept until it is known which there are.
    return offers.isPending ? <div className={classes.tabs} data-waiting /> : null;
  }
  return (
    <div
      className={classes.tabs}
      role="tablist"
      aria-label={t("counter.offersTitle")}
      {...OWN_KEYS}
    >
      {view.subTypes.map((subType) => {
        const label = t(`counter.subType.${subType}`);
        return (
          <button
            key={subType}
            type="button"
            role="tab"
            aria-selected={subType === view.subType}
            aria-controls="offer-tiles"
            className={classes.tab}
            onClick={(event) => {
              letGo(event);
              topup.dispatch({ type: "tab-picked", subType });
            }}
          >
            {label} <KeyCap>{TAB_LETTERS[subType].toUpperCase()}</KeyCap>
          </button>
        );
      })}
    </div>
  );
}

function SameAsLast({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const format = useFormat();
  const lineTitle = useLineTitle();
  const earlier = lastSale(topup.state);
  if (!earlier) {
    return null;
  }
  const title = lineTitle(earlier);
  const price = format.money(earlier.price, earlier.priceCurrency, earlier.priceCurrencyDivisor);
  return (
    <button
      type="button"
      className={classes.again}
      onClick={() => topup.repeat(earlier)}
      {...OWN_KEYS}
    >
      <KeyCap>0</KeyCap>
      <span className={classes.againWords}>
        <strong>{t("counter.sameAsLast")}</strong>
        <span className={classes.againFacts}>
          {title} · {format.moment(earlier.soldAt)}
          <OutcomeBadge outcome={earlier.outcome} />
        </span>
      </span>
      <span className={classes.againPrice}>{price}</span>
    </button>
  );
}
