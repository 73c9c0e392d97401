import { Skeleton } from "@mantine/core";
import { IconReceipt, IconStar, IconStarFilled } from "@tabler/icons-react";
import { type ReactNode, useEffect, useId, useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosEarlierSale } from "../../../../../server/contract/pos/counter.ts";
import { nameOutcome } from "../../../../../server/contract/pos/outcome.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { BrandFace } from "../../../../components/brand-face.tsx";
import { Flag } from "../../../../components/flag.tsx";
import { KeyCap } from "../../../../components/key-cap.tsx";
import { Notice } from "../../../../components/notice.tsx";
import { OutcomeBadge } from "../../../../components/outcome-badge.tsx";
import { TYPING_MS, useAnnounced } from "../../../../lib/announcer.ts";
import { usePlaceWords, useRecipient } from "../../../../lib/destination.ts";
import { useNow } from "../../../../lib/gateway-clock.ts";
import type { Translate } from "../../../../lib/i18n.ts";
import { restFocus } from "../../../../lib/rest-focus.ts";
import { isKeyboardFocus } from "../../../../lib/roving-focus.ts";
import { saleLineAt, saleOutcomeAt } from "../../../../lib/sale-outcome.ts";
import { useScreenCommand } from "../../../../lib/screen-commands.ts";
import { OWN_KEYS } from "../../../../lib/single-keys.ts";
import { useLineTitle } from "../../../../lib/sold-title.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { isPaymentCode } from "../../picker/barcodes/read-bill-barcode.ts";
import { PauseMark, useBrandPause } from "../../ui/pause.tsx";
import stepClasses from "../../ui/step.module.css";
import type { SoldThing } from "../interface/sold-thing.ts";
import { type KnownNumber, ofRecent } from "./favourites/known-numbers.ts";
import { NameEditor } from "./favourites/name-editor.tsx";
import classes from "./recent-list.module.css";
import { isCode } from "./typed-text.ts";
import type { Topup } from "./use-topup.ts";

/** Recent customers and favourites, or search results. */
export function RecentList({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { known, knownLoading, knownFailed, state, choices, isBehind } = topup;
  const { recents, favourites } = known;
  const isNothing =
    state.query !== "" &&
    !knownLoading &&
    !isBehind &&
    !topup.numbered.isAwaited &&
    choices.length === 0;
  if (state.contacts) {
    return (
      <Numbers topup={topup} list={state.contacts} title={t("counter.field.contacts")} hasKey />
    );
  }
  if (state.digits !== "" && !topup.isAtRest) {
    if (topup.numbered.sale) {
      return <Choices topup={topup} />;
    }
    return recents.length === 0 ? null : (
      <Numbers topup={topup} list={recents} title={t("counter.favourites.found")} hasKey />
    );
  }
  // While the field is empty, `choices` also contains the usual products.
  const listed = topup.isAtRest ? [...recents, ...favourites] : choices;
  if (knownLoading && listed.length === 0) {
    return <LoadingRecents />;
  }
  if (knownFailed && recents.length + favourites.length === 0) {
    return <Notice tone="wait">{t("counter.favourites.away")}</Notice>;
  }
  if (state.query !== "") {
    return isNothing && topup.openRead === undefined ? (
      <NothingFound topup={topup} />
    ) : (
      <Choices topup={topup} />
    );
  }
  if (recents.length + favourites.length === 0) {
    return (
      <section className="stack flex-none gap-2 min-w-0" aria-label={t("counter.recents")}>
        <h2 className={stepClasses.groupTitle}>{t("counter.recents")}</h2>
        <p className="soft">{t("counter.noRecents")}</p>
      </section>
    );
  }
  return (
    <div className={classes.groups}>
      {recents.length === 0 ? null : (
        <Numbers topup={topup} list={recents} title={t("counter.recents")} hasKey />
      )}
      {favourites.length === 0 ? null : (
        <Numbers
          topup={topup}
          list={favourites}
          title={t("counter.favourites.title")}
          hasKey={recents.length === 0}
        />
      )}
    </div>
  );
}

function Choices({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const { choices, focused, state } = topup;
  return (
    <section className="stack flex-none gap-2 min-w-0" aria-label={t("counter.field.choices")}>
      <ul className={stepClasses.list}>
        {choices.map((choice, index) => {
          const place = {
            digit: index + 1,
            isFocused: choice.id === focused?.id,
            isTabStop: choice.id === (focused ?? choices[0])?.id,
            onPick: () => topup.choose(choice),
          };
          if ("sale" in choice) {
            return (
              <SaleRow
                key={choice.id}
                sale={choice.sale}
                onFocus={() => topup.dispatch({ type: "tile-focused", id: choice.id })}
                {...place}
                digit={state.query === "" ? undefined : place.digit}
              />
            );
          }
          return "known" in choice ? (
            <KnownRow
              key={choice.id}
              customer={choice.known}
              sale={choice.known.lastSale}
              onFocus={() => topup.dispatch({ type: "known-focused", number: choice.id })}
              {...place}
            />
          ) : (
            <ThingRow
              key={choice.id}
              thing={choice.thing}
              onFocus={() => topup.dispatch({ type: "tile-focused", id: choice.id })}
              {...place}
            />
          );
        })}
      </ul>
    </section>
  );
}

interface NumbersProps {
  readonly topup: Topup;
  readonly list: readonly KnownNumber[];
  readonly title: string;
  /** True for the first list, which shows the key that moves through all lists. */
  readonly hasKey: boolean;
}

function Numbers({ topup, list, title, hasKey }: NumbersProps) {
  const focused = topup.focused?.id;
  return (
    <section className="stack flex-none gap-2 min-w-0" aria-label={title}>
      <h2 className={stepClasses.groupTitle}>
        {title} {hasKey ? <KeyCap>↓</KeyCap> : null}
      </h2>
      {/* A changed order creates a new list, so that no row slides under a finger. */}
      <ul className={stepClasses.list} key={list.map(({ number }) => number).join(" ")}>
        {list.map((customer) => (
          <KnownRow
            key={customer.number}
            customer={customer}
            sale={customer.lastSale}
            isFocused={customer.number === focused}
            isTabStop={customer.number === (focused ?? topup.choices[0]?.id)}
            onFocus={() => topup.dispatch({ type: "known-focused", number: customer.number })}
            onPick={() => topup.pickKnown(customer)}
          />
        ))}
      </ul>
    </section>
  );
}

export function EarlierOfNumber({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const earlier = topup.state.phone?.earlier ?? [];
  if (earlier.length === 0) {
    return null;
  }
  return (
    <section className="stack flex-none gap-2 min-w-0" aria-label={t("counter.earlier")}>
      <h2 className={stepClasses.groupTitle}>{t("counter.earlier")}</h2>
      <ul className={stepClasses.list}>
        {earlier.slice(0, SHOWN_EARLIER).map((sale) => (
          <KnownRow
            key={sale.saleId}
            customer={ofRecent(sale)}
            sale={sale}
            isFocused={false}
            isTabStop
            onPick={() => topup.repeat(sale)}
          />
        ))}
      </ul>
    </section>
  );
}

const SHOWN_EARLIER = 3;

function LoadingRecents() {
  const { t } = useTranslation();
  return (
    <div
      className={stepClasses.list}
      role="status"
      aria-busy="true"
      aria-label={t("common.loading")}
    >
      {["a", "b", "c"].map((row) => (
        <Skeleton key={row} height="3.5rem" radius="md" />
      ))}
    </div>
  );
}

interface KnownRowProps extends ChoiceButtonProps {
  readonly customer: KnownNumber;
  /** Sale that a press repeats. Without a sale, a press continues with the number. */
  readonly sale: PosEarlierSale | undefined;
}

function KnownRow(props: KnownRowProps) {
  const { customer, sale, digit, isFocused, isTabStop, onFocus, onPick } = props;
  const { t } = useTranslation();
  const { formatted, country, name } = customer;
  const [isNaming, setNaming] = useState(false);
  const id = useId();
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isFocused) {
      row.current?.scrollIntoView?.({ block: "nearest" });
    }
  }, [isFocused]);
  useScreenCommand("name-number", () => setNaming(true), {
    enabled: isFocused && !isNaming,
    isFirst: true,
  });
  if (isNaming) {
    return (
      <li ref={row}>
        <NameEditor customer={customer} onDone={() => setNaming(false)} />
      </li>
    );
  }
  const Star = name === undefined ? IconStar : IconStarFilled;
  return (
    <li ref={row} className="row">
      <ChoiceButton
        digit={digit}
        isFocused={isFocused}
        isTabStop={isTabStop}
        onFocus={onFocus}
        onPick={onPick}
      >
        <SoldFace sale={sale} />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>
            <Flag country={country} /> {name === undefined ? null : <bdi>{name}</bdi>}{" "}
            <bdi id={id} dir="ltr" className={name === undefined ? undefined : "soft regular"}>
              {formatted}
            </bdi>
          </span>
          {sale ? (
            <LastSold sale={sale} />
          ) : (
            <span className="row wrap gap-0-2 faint size-caption">
              {t(customer.isContact ? "counter.field.contact" : "counter.favourites.neverSold")}
            </span>
          )}
        </span>
        {sale ? <Price sale={sale} repeats={digit === undefined} /> : null}
      </ChoiceButton>
      <button
        type="button"
        className={classes.star}
        tabIndex={isTabStop ? 0 : -1}
        aria-label={
          name === undefined
            ? t("counter.favourites.keep")
            : t("counter.favourites.rename", { name })
        }
        aria-describedby={id}
        onClick={() => setNaming(true)}
      >
        <Star size="1.25rem" aria-hidden="true" />
      </button>
    </li>
  );
}

function SoldFace({ sale }: Pick<KnownRowProps, "sale">) {
  const { brand = "", brandName = "", brandColor = "" } = sale ?? {};
  return <BrandFace brand={brand} name={brandName} color={brandColor} />;
}

function LastSold({ sale }: { readonly sale: PosEarlierSale }) {
  const format = useFormat();
  const lineTitle = useLineTitle();
  const pause = useBrandPause("TOPUP", sale.brand);
  // A badge for another outcome replaces the pause mark.
  const isDelivered = sale.outcome === "DELIVERED";
  return (
    <span className={classes.sold}>
      <span className={classes.details}>{lineTitle(sale)}</span>
      <span className="flex-none">· {format.moment(sale.soldAt)}</span>
      {/* The badge is last in its row, because its text changes and would move elements behind it. */}
      {isDelivered ? null : <OutcomeBadge outcome={sale.outcome} />}
      {pause && isDelivered ? <PauseMark pause={pause} /> : null}
    </span>
  );
}

interface PriceProps {
  readonly sale: PosEarlierSale;
  readonly repeats: boolean;
}

function Price({ sale, repeats }: PriceProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const price = format.money(sale.price, sale.priceCurrency, sale.priceCurrencyDivisor);
  return (
    <span className={classes.price} data-repeats={repeats}>
      {repeats ? <span className={classes.repeat}>{t("counter.repeat")}</span> : null} {price}
    </span>
  );
}

function NothingFound({ topup }: { readonly topup: Topup }) {
  const { t } = useTranslation();
  const words = nothingWords(topup, t);
  const { query } = topup.state;
  const { correct } = topup;
  const meant = useMemo(
    () => (isCode(query) || isPaymentCode(query) ? undefined : correct?.(query)),
    [correct, query],
  );
  const question = meant === undefined ? undefined : t("counter.field.meant", { text: meant });
  useAnnounced(question === undefined ? words : `${words} ${question}`, { afterMs: TYPING_MS });
  return (
    <>
      <p className="soft">{words}</p>
      {meant === undefined ? null : (
        <button
          type="button"
          className={`${stepClasses.link} ${stepClasses.flush}`}
          onClick={() => {
            topup.dispatch({ type: "name-typed", query: meant });
            // The next search removes this button, so the field gets the focus.
            restFocus();
          }}
        >
          {question}
        </button>
      )}
    </>
  );
}

function nothingWords({ state: { query }, numbered }: Topup, t: Translate): string {
  if (numbered.number !== undefined) {
    const { number } = numbered;
    return t(numbered.hasFailed ? "counter.field.saleAway" : "counter.field.noSale", { number });
  }
  if (isPaymentCode(query)) {
    return t("counter.field.unknownBill");
  }
  return isCode(query)
    ? t("counter.field.unknownCode")
    : t("counter.field.nothing", { text: query });
}

interface ChoiceButtonProps {
  readonly digit?: number | undefined;
  readonly isFocused: boolean;
  /** True for the only line that Tab focuses. */
  readonly isTabStop: boolean;
  readonly onFocus?: (() => void) | undefined;
  readonly onPick: () => void;
}

function ChoiceButton({
  digit,
  isFocused,
  isTabStop,
  onFocus,
  onPick,
  children,
}: ChoiceButtonProps & { readonly children: ReactNode }) {
  return (
    <button
      type="button"
      className={classes.recent}
      {...OWN_KEYS}
      data-focused={isFocused}
      aria-current={isFocused}
      tabIndex={isTabStop ? 0 : -1}
      onFocus={(event) => {
        if (isKeyboardFocus(event)) {
          onFocus?.();
        }
      }}
      onClick={onPick}
    >
      {children}
      {digit === undefined ? null : <KeyCap chooses>{digit}</KeyCap>}
    </button>
  );
}

interface SaleRowProps extends ChoiceButtonProps {
  readonly sale: Sale;
}

/** Pressing the row opens the sale and sells nothing. */
function SaleRow({ sale, ...choice }: SaleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const facts = [
    line && recipientOf(line),
    format.moment(sale.createdAt),
    line && lineTitle(line),
    t(`sale.outcome.${nameOutcome(saleOutcomeAt(sale, now), sale.lines)}`),
  ];
  return (
    <li className="row">
      <ChoiceButton {...choice}>
        <IconReceipt size="1.5rem" aria-hidden="true" />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>{t("sale.number", { number: sale.saleNumber })}</span>
          <span className="row wrap gap-0-2 faint size-caption">
            {facts.filter(Boolean).map((fact, at) => (
              <span key={fact}>
                {at === 0 ? "" : " · "}
                <bdi>{fact}</bdi>
              </span>
            ))}
          </span>
        </span>
        <span className={classes.price}>
          {format.money(sale.total, sale.currency, sale.currencyDivisor)}
        </span>
      </ChoiceButton>
    </li>
  );
}

interface ThingRowProps extends ChoiceButtonProps {
  readonly thing: SoldThing;
}

function ThingRow({ thing, ...choice }: ThingRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const places = usePlaceWords();
  const { productType, brand, brandName, brandColor, country, region, offer, account, stated } =
    thing;
  const facts = [
    t(`family.${productType}.one`),
    country && format.country(country),
    region && places.region(region),
    account,
    stated?.amount && t("counter.field.stated", { amount: stated.amount }),
    stated?.dueDay && t("counter.field.dueDay", { day: stated.dueDay }),
  ];
  return (
    <li className="row">
      <ChoiceButton {...choice}>
        <BrandFace brand={brand} name={brandName} color={brandColor} />
        <span className="stack flex-1 min-w-0">
          <span className={classes.number}>
            <bdi>{brandName}</bdi>
            {offer ? (
              <>
                {" · "}
                <bdi>{format.contents(offer.title)}</bdi>
              </>
            ) : null}
          </span>
          <span className="row wrap gap-0-2 faint size-caption">
            {facts.filter(Boolean).join(" · ")}
          </span>
        </span>
        {offer ? <span className={classes.price}>{offer.price}</span> : null}
      </ChoiceButton>
    </li>
  );
}
