import { Modal } from "@mantine/core";
import { Spotlight } from "@mantine/spotlight";
import "@mantine/spotlight/styles.css";
import { IconPhonePlus, IconReceipt, IconSearch } from "@tabler/icons-react";
import { type ReactNode, useDeferredValue, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { BrandMonogram } from "../../../components/brand-monogram.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { foldLetters } from "../../../lib/fold-letters.ts";
import { phoneDigits, typedNumber } from "../../../lib/phone-format.ts";
import { saleLineAt, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { useNow } from "../../../lib/use-now.ts";
import type { Found, FoundBrand, FoundOffer, SearchIndex } from "../search-index.ts";
import { useEnter } from "../use-enter.ts";
import { useFoundSales } from "../use-found-sales.ts";
import { useSearchIndex } from "../use-search-index.ts";
import classes from "./palette.module.css";

/** Something the till can do from anywhere. */
export interface PaletteCommand {
  readonly id: string;
  readonly label: string;
  /** The key that does the same without the palette. */
  readonly shortcut?: string;
  readonly icon: ReactNode;
  /** Before the products, and only once something is typed: there may be many of them. */
  readonly isCustomer?: boolean;
  readonly run: () => void;
}

interface PaletteProps {
  readonly commands: readonly PaletteCommand[];
  readonly currency: { readonly code: string; readonly divisor: number };
  readonly onBrand: (found: FoundBrand) => void;
  readonly onOffer: (found: FoundOffer) => void;
  /** A number to sell to, as it was typed. */
  readonly onNumber: (number: string) => void;
  /** A sale of today, to be looked at or printed again. */
  readonly onSale: (sale: Sale) => void;
}

const LIMIT = { brands: 6, offers: 12 };
const NOTHING: Found = { brands: [], offers: [] };
/** From so many digits on it is a number that somebody wants to sell to. */
const LEAST_DIGITS = 6;

/** Ctrl+K: everything that is sold and everything the till does, as it is typed. */
export function Palette({ commands, currency, onBrand, onOffer, onNumber, onSale }: PaletteProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const [isOpen, setOpen] = useState(false);
  const { index, isAway } = useSearchIndex(isOpen);
  // What was typed is on the screen first; what is found follows, at the latest with the next frame.
  const wanted = useDeferredValue(typed);
  const found = useMemo(() => index?.find(wanted, LIMIT) ?? NOTHING, [index, wanted]);
  const shown = useMemo(() => fitting(commands, wanted), [commands, wanted]);
  const number = readNumber(wanted);
  const { sales, isBehind } = useFoundSales(typed);
  const isCurrent = index !== undefined && wanted === typed && !isBehind;
  // A new object whenever the list may have changed.
  const listed = useMemo(() => ({ found, sales }), [found, sales]);
  const { list, onKeyDownCapture } = useEnter(typed, isCurrent ? listed : undefined);
  const amount = shown.length + found.brands.length + found.offers.length + sales.length;
  const isEmpty = amount === 0 && !number && !isBehind;
  return (
    <Spotlight.Root
      query={typed}
      onQueryChange={setTyped}
      onSpotlightOpen={() => setOpen(true)}
      onSpotlightClose={() => setTyped("")}
      shortcut="mod + K"
      scrollable
      maxHeight="min(34rem, 70dvh)"
      // The field stays where it is, however much is found.
      centered={false}
      yOffset="12dvh"
      // The step's own field has the focus nearly always.
      tagsToIgnore={[]}
      // At once: what is typed next is meant for it.
      transitionProps={{ duration: 0 }}
      overlayProps={{ blur: 0, backgroundOpacity: 0.4 }}
    >
      <Modal.Title className={classes.title}>{t("search.open")}</Modal.Title>
      <Spotlight.Search
        placeholder={t("search.placeholder")}
        aria-label={t("search.placeholder")}
        leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
        classNames={{ input: classes.field ?? "" }}
        data-palette-field
        onKeyDownCapture={onKeyDownCapture}
      />
      <Spotlight.ActionsList ref={list}>
        {number ? (
          <Spotlight.Action className={classes.action} onClick={() => onNumber(number)}>
            <IconPhonePlus size="1.5rem" aria-hidden="true" />
            <span className={classes.words}>{t("search.number", { number: wanted.trim() })}</span>
          </Spotlight.Action>
        ) : null}
        <FoundSales sales={sales} onSale={onSale} />
        <Commands list={shown.filter(({ isCustomer }) => isCustomer)} />
        <Brands found={found.brands} onBrand={onBrand} />
        <Offers found={found.offers} currency={currency} onOffer={onOffer} />
        <Commands list={shown.filter(({ isCustomer }) => !isCustomer)} />
        {isEmpty ? <Nothing index={index} isAway={isAway} /> : null}
      </Spotlight.ActionsList>
    </Spotlight.Root>
  );
}

function Commands({ list }: { readonly list: readonly PaletteCommand[] }) {
  return list.map(({ id, label, shortcut, icon, run }) => (
    <Spotlight.Action key={id} className={classes.action} onClick={run}>
      {icon}
      <span className={classes.words}>{label}</span>
      {shortcut ? <KeyCap>{shortcut}</KeyCap> : null}
    </Spotlight.Action>
  ));
}

/** By its number, with whom it was for, what became of it and what was paid. */
function FoundSales({
  sales,
  onSale,
}: {
  readonly sales: readonly Sale[];
  readonly onSale: PaletteProps["onSale"];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  return sales.map((sale) => {
    const line = saleLineAt(sale, now);
    const outcome = saleOutcomeAt(sale, now);
    return (
      <Spotlight.Action key={sale.saleId} className={classes.action} onClick={() => onSale(sale)}>
        <IconReceipt size="1.5rem" aria-hidden="true" />
        <span className={classes.words}>
          {t("sale.number", { number: sale.saleNumber })} ·{" "}
          <bdi dir="ltr">{line?.recipientFormatted || line?.brandName}</bdi>
          <span className={classes.more}>
            {[format.time(sale.createdAt), line && lineTitle(line), t(`sale.outcome.${outcome}`)]
              .filter(Boolean)
              .join(" · ")}
          </span>
        </span>
        <span className={classes.price}>
          {format.money(sale.total, sale.currency, sale.currencyDivisor)}
        </span>
      </Spotlight.Action>
    );
  });
}

function Brands({
  found,
  onBrand,
}: {
  readonly found: Found["brands"];
  readonly onBrand: PaletteProps["onBrand"];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return found.map((brand) => (
    <Spotlight.Action
      key={`${brand.productType}/${brand.brand}/${brand.country}`}
      className={classes.action}
      onClick={() => onBrand(brand)}
    >
      <BrandMonogram name={brand.brandName} color={brand.brandColor} />
      <span className={classes.words}>
        <strong>
          <bdi>{brand.brandName}</bdi>
        </strong>
        <span className={classes.more}>
          {[t(`search.family.${brand.productType}`), brand.country && format.country(brand.country)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
    </Spotlight.Action>
  ));
}

function Offers({
  found,
  currency,
  onOffer,
}: {
  readonly found: Found["offers"];
  readonly currency: PaletteProps["currency"];
  readonly onOffer: PaletteProps["onOffer"];
}) {
  const { t } = useTranslation();
  const format = useFormat();
  return found.map((offer) => (
    <Spotlight.Action key={offer.offerId} className={classes.action} onClick={() => onOffer(offer)}>
      <BrandMonogram name={offer.brandName} color={offer.brandColor} />
      <span className={classes.words}>
        <bdi>
          {offer.brandName} · {format.contents(offer.title)}
        </bdi>
        <span className={classes.more}>
          {[t(`search.family.${offer.productType}`), offer.country && format.country(offer.country)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <span className={classes.price}>
        {format.money(offer.price, currency.code, currency.divisor)}
      </span>
    </Spotlight.Action>
  ));
}

function Nothing({
  index,
  isAway,
}: {
  readonly index: SearchIndex | undefined;
  readonly isAway: boolean;
}) {
  const { t } = useTranslation();
  const waiting = isAway ? "search.away" : "common.loading";
  return <Spotlight.Empty>{t(index ? "search.nothing" : waiting)}</Spotlight.Empty>;
}

function fitting(commands: readonly PaletteCommand[], typed: string): readonly PaletteCommand[] {
  const words = foldLetters(typed).split(/\s+/).filter(Boolean);
  return commands.filter(
    ({ label, isCustomer = false }) =>
      (words.length > 0 || !isCustomer) && words.every((word) => foldLetters(label).includes(word)),
  );
}

function readNumber(typed: string): string | undefined {
  if (!/^\+?[\d\s().-]+$/.test(typed.trim())) {
    return undefined;
  }
  return phoneDigits(typed).length >= LEAST_DIGITS ? typedNumber(typed) : undefined;
}
