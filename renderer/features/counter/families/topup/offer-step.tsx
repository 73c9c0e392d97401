import { Skeleton } from "@mantine/core";
import { IconRepeat } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { OutcomeBadge } from "../../../../components/outcome-badge.tsx";
import { QueryTrouble } from "../../../../components/query-trouble.tsx";
import { useAnnounced } from "../../../../lib/announcer.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import { areWhole } from "../../../../lib/money.ts";
import { letGo } from "../../../../lib/rest-focus.ts";
import { isKeyboardFocus, tabStop } from "../../../../lib/roving-focus.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { type Format, useFormat } from "../../../../lib/use-format.ts";
import { hasFailed } from "../../ui/asked.ts";
import { drawnTiles } from "../../ui/page-size.ts";
import { PromoMark, PromoNotes, type PromoOn } from "../../ui/promo.tsx";
import stepClasses from "../../ui/step.module.css";
import { WalletMark, WalletNotice } from "../../ui/wallet.tsx";
import { TAB_LETTERS } from "./offer-pages.ts";
import classes from "./offer-step.module.css";
import offerTileClasses from "./offer-tile.module.css";
import { EarlierOfNumber } from "./recent-list.tsx";
import { lastSale } from "./topup-state.ts";
import type { Topup, TopupStepProps } from "./use-topup.ts";

/**
 * Matches a title that states the contents, such as "500 MB, 1 day". The tile then shows no
 * details.
 */
const SAYS_CONTENTS = /\d\s?(GB|MB|Go|Mo|min|SMS)/i;

export function OfferStep({ topup }: TopupStepProps) {
  const { t } = useTranslation();
  const { state, view, offers, brand } = topup;
  const found = offers.data?.list.length;
  useAnnounced(
    found === undefined || found === 0 ? undefined : t("counter.spoken.found", { count: found }),
  );
  useAnnounced(found === 0 ? t("counter.noOffers", { brand: brand?.brandName ?? "" }) : undefined);
  return (
    <section className={stepClasses.card} aria-label={t("counter.offersTitle")}>
      <h1 className="spoken">{t("counter.offersTitle")}</h1>
      <SameAsLast topup={topup} />
      <div className={stepClasses.head}>
        <OfferTabs topup={topup} />
      </div>
      <QueryTrouble query={offers} />
      {offers.data?.list.length === 0 ? (
        <Notice tone="wait">{t("counter.noOffers", { brand: brand?.brandName ?? "" })}</Notice>
      ) : null}
      <PromoNotes promos={topup.promosOn.promos} />
      <OfferTiles topup={topup} chosen={state.focusedTile} onPick={topup.pickOffer} hasDigits />
      <EarlierOfNumber topup={topup} />
      {/* Last, because the balance may fall while the clerk reaches for a tile. */}
      {view.tiles.some(topup.cannotPay) ? <WalletNotice short={topup.walletShort} /> : null}
    </section>
  );
}

/** Offers below a complete number, for touch. Digits still change the number. */
export function OffersAhead({ topup }: { readonly topup: Topup }) {
  const { offers, dispatch } = topup;
  return offers.data?.list.length === 0 || hasFailed(offers) ? null : (
    <>
      <SameAsLast topup={topup} />
      <OfferTiles
        topup={topup}
        onPick={(offer) => {
          dispatch({ type: "number-entered" });
          topup.pickOffer(offer);
        }}
      />
    </>
  );
}

interface OfferTilesProps {
  readonly topup: Topup;
  readonly chosen?: string | undefined;
  readonly hasDigits?: boolean;
  readonly onPick: (offer: PosTopupOffer) => void;
}

function OfferTiles({ topup, chosen, hasDigits = false, onPick }: OfferTilesProps) {
  const { t } = useTranslation();
  const { view, offers } = topup;
  const { drawn, digitOf } = drawnTiles(view.all, view.page);
  const focusedAt = drawn.findIndex(({ offerId }) => offerId === chosen);
  const whole = view.all.every(({ send }) => areWhole([send.fixed ?? 0], send.currencyDivisor));
  return (
    <fieldset
      id="offer-tiles"
      className={stepClasses.tiles}
      {...(hasDigits && OWN_KEYS)}
      aria-label={t("counter.offersTitle")}
    >
      {offers.isPending && !hasFailed(offers)
        ? ["a", "b", "c", "d", "e", "f", "g", "h"].map((tile) => (
            <Skeleton key={tile} height="5.5rem" radius="md" />
          ))
        : drawn.map((offer, index) => (
            <OfferTile
              key={offer.offerId}
              offer={offer}
              digit={hasDigits ? digitOf(index) : undefined}
              whole={whole}
              isOff={topup.pause?.byHand ?? false}
              isShort={topup.cannotPay(offer)}
              promo={topup.promosOn.of(offer.offerId)}
              focused={chosen === offer.offerId}
              onPick={() => onPick(offer)}
              isTabStop={tabStop(index, focusedAt) === 0}
              onFocus={
                hasDigits
                  ? () => topup.dispatch({ type: "tile-focused", id: offer.offerId })
                  : () => undefined
              }
            />
          ))}
    </fieldset>
  );
}

function OfferTabs({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { view, offers } = topup;
  if (view.subTypes.length === 0) {
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
      <IconRepeat className="flex-none accent" size="1.375rem" aria-hidden="true" />
      <span className="stack flex-1 min-w-0">
        <strong>{t("counter.sameAsLast", { title, price })}</strong>
        <span className="flex wrap gap-0-3 faint size-caption">
          {format.moment(earlier.soldAt)}
          {earlier.outcome === "DELIVERED" ? null : <OutcomeBadge outcome={earlier.outcome} />}
        </span>
      </span>
      <span className={classes.againPrice}>
        {t("counter.add")} {price}
      </span>
      <KeyCap>0</KeyCap>
    </button>
  );
}

interface OfferTileProps {
  readonly offer: PosTopupOffer;
  readonly digit: number | undefined;
  readonly focused: boolean;
  /** True if no listed amount has a fraction. Amounts are then written without decimals. */
  readonly whole: boolean;
  readonly promo: PromoOn;
  readonly isOff: boolean;
  readonly isShort: boolean;
  readonly onPick: () => void;
  readonly isTabStop: boolean;
  readonly onFocus: () => void;
}

/** Customers ask for the delivered amount, so it is above the price. */
function OfferTile(props: OfferTileProps) {
  const { offer, digit, focused, whole, promo, isOff, isShort, onPick, isTabStop, onFocus } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const isRange = offer.priceType === "RANGE";
  const face = faceValue(offer, format, whole);
  const details = SAYS_CONTENTS.test(offer.title) ? [] : offerDetails(offer, t, format);
  // A price that equals the delivered amount is not shown.
  const price = isFaceValue(offer) ? "" : priceWords(offer, t, format);
  return (
    <button
      type="button"
      className={`${stepClasses.tile} ${offerTileClasses.tile}`}
      data-focused={focused}
      disabled={isOff}
      aria-disabled={isShort}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={(event) => {
        if (isKeyboardFocus(event)) {
          onFocus();
        }
      }}
      data-range={isRange}
      onClick={onPick}
    >
      {digit === undefined ? null : <KeyCap chooses>{digit}</KeyCap>}
      <span className={offerTileClasses.face} data-words={face === undefined}>
        <bdi>{face ?? format.contents(offer.title)}</bdi>
      </span>
      <span className="push-down soft size-small">
        {isShort ? (
          <WalletMark />
        ) : (
          [...details, price].filter(Boolean).join(" · ") || offer.brandName
        )}
      </span>
      <PromoMark on={promo} />
    </button>
  );
}

/** Returns the delivered amount; empty for a bundle, because its title states the contents. */
function faceValue(
  { send, subType }: PosTopupOffer,
  format: Format,
  whole: boolean,
): string | undefined {
  if (send.fixed === undefined) {
    return format.moneyRange([send.min ?? 0, send.max ?? 0], send.currency, send.currencyDivisor);
  }
  const write = whole ? format.moneyShort : format.money;
  return subType === "Mobile Top Up" && send.fixed > 0
    ? write(send.fixed, send.currency, send.currencyDivisor, "code")
    : undefined;
}

function isFaceValue({ send, price, subType }: PosTopupOffer): boolean {
  return (
    subType === "Mobile Top Up" &&
    send.fixed === (price.fixed ?? 0) + price.fee &&
    send.currency === price.currency
  );
}

function priceWords({ price }: PosTopupOffer, t: Translate, format: Format): string {
  return price.fixed === undefined
    ? t("counter.anyAmount")
    : format.money(price.fixed + price.fee, price.currency, price.currencyDivisor);
}

function offerDetails(offer: PosTopupOffer, t: Translate, format: Format): string[] {
  const details: string[] = [];
  if (offer.dataUnlimited) {
    details.push(t("counter.dataUnlimited"));
  } else if (offer.dataGB > 0) {
    details.push(t("counter.dataGB", { amount: format.number(offer.dataGB) }));
  }
  if (offer.voiceUnlimited) {
    details.push(t("counter.voiceUnlimited"));
  } else if (offer.voiceMinutes > 0) {
    details.push(
      t("counter.voiceMinutes", {
        count: offer.voiceMinutes,
        amount: format.number(offer.voiceMinutes),
      }),
    );
  }
  if (offer.smsUnlimited) {
    details.push(t("counter.smsUnlimited"));
  } else if (offer.smsNumber > 0) {
    details.push(
      t("counter.smsNumber", { count: offer.smsNumber, amount: format.number(offer.smsNumber) }),
    );
  }
  if (offer.durationDays > 0) {
    details.push(t("counter.days", { count: offer.durationDays }));
  }
  return details;
}
