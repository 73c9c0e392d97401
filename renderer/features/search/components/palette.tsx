import { IconPhonePlus, IconReceipt, IconSearch } from "@tabler/icons-react";
import { type ReactNode, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { foldLetters } from "../../../lib/fold-letters.ts";
import { isPaletteKey } from "../../../lib/key-edge.ts";
import { phoneDigits, typedNumber } from "../../../lib/phone-format.ts";
import { saleLineAt, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { useLineTitle } from "../../../lib/use-line-title.ts";
import { useNow } from "../../../lib/use-now.ts";
import { usePlaceWords, useRecipient } from "../../../lib/use-place-words.ts";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { listenForSearch } from "../open-search.ts";
import type { Found, FoundBrand, FoundOffer } from "../search-index.ts";
import { useChoice } from "../use-choice.ts";
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
  /** The shop's, empty where it is not known: what is sold for it comes first. */
  readonly homeCountry: string;
  readonly onBrand: (found: FoundBrand) => void;
  readonly onOffer: (found: FoundOffer) => void;
  /** A number to sell to, as it was typed. */
  readonly onNumber: (number: string) => void;
  /** A sale, to be looked at or printed again. */
  readonly onSale: (sale: Sale) => void;
}

/** One thing that is found. */
interface Entry {
  readonly id: string;
  readonly shown: ReactNode;
  readonly run: () => void;
}

const LIMIT = { brands: 6, offers: 12 };
const NOTHING: Found = { brands: [], offers: [] };
/** From this many digits on it is a number to sell to. */
const LEAST_DIGITS = 6;

/** Ctrl+K: everything that is sold and everything the till does, as it is typed. */
export function Palette(props: PaletteProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => listenForSearch(() => setOpen(true)), []);
  useScreenKeys((event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      setOpen(true);
    }
  });
  const close = () => setOpen(false);
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={t("search.open")}
      size="lg"
      // The field stays where it is, however much is found.
      centered={false}
      yOffset="12dvh"
      isInstant
      padding={0}
      withCloseButton={false}
      isTitleHidden
    >
      {isOpen ? <Search {...props} onDone={close} /> : null}
    </Dialog>
  );
}

/** A field with a list of what is found, of which the arrows choose one while the field keeps the focus. */
function Search(props: PaletteProps & { readonly onDone: () => void }) {
  const { t } = useTranslation();
  const { onDone } = props;
  const [typed, setTyped] = useState("");
  const { entries, isCurrent, isBehind, emptyWords } = useEntries(props, typed);
  const isFound = typed !== "" && isCurrent;
  useAnnounced(isFound ? t("search.found", { count: entries.length }) : undefined, {
    afterMs: TYPING_MS,
  });
  const choice = useChoice({
    typed,
    ids: entries.map(({ id }) => id),
    isCurrent,
    onTake: (at) => {
      onDone();
      entries[at]?.run();
    },
  });
  return (
    <>
      <div className={classes.search}>
        <IconSearch size="1.25rem" aria-hidden="true" className={classes.icon} />
        <input
          data-autofocus
          data-palette-field
          className={classes.field}
          type="text"
          role="combobox"
          aria-expanded={entries.length > 0}
          aria-controls={choice.listId}
          aria-activedescendant={choice.activeId}
          aria-autocomplete="list"
          aria-label={t("search.placeholder")}
          placeholder={t("search.placeholder")}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          onKeyDown={choice.onKeyDown}
        />
      </div>
      <div id={choice.listId} role="listbox" aria-label={t("search.open")} className={classes.list}>
        {entries.map(({ id, shown, run }, index) => (
          // The field has the keys, and says which of these is chosen.
          // biome-ignore lint/a11y/useFocusableInteractive: the field is what has the focus
          // biome-ignore lint/a11y/useKeyWithClickEvents: as above
          <div
            key={id}
            id={choice.idOf(index)}
            role="option"
            aria-selected={index === choice.chosen}
            className={classes.action}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => {
              onDone();
              run();
            }}
          >
            {shown}
          </div>
        ))}
      </div>
      {entries.length === 0 && !isBehind ? <p className={classes.empty}>{emptyWords}</p> : null}
    </>
  );
}

/** What is found for the words, best first. */
function useEntries(
  { commands, currency, homeCountry, onBrand, onOffer, onNumber, onSale }: PaletteProps,
  typed: string,
) {
  const { t } = useTranslation();
  const { index, isAway } = useSearchIndex(true);
  // The typed text appears first; results follow, at the latest with the next frame.
  const wanted = useDeferredValue(typed);
  const found = useMemo(
    () => index?.find(wanted, LIMIT, homeCountry) ?? NOTHING,
    [index, wanted, homeCountry],
  );
  const { sales, isBehind } = useFoundSales(typed);
  const shown = useMemo(() => fitting(commands, wanted), [commands, wanted]);
  const number = readNumber(wanted);
  const waiting = t(isAway ? "search.away" : "common.loading");
  const ofCommand = ({ id, label, shortcut, icon, run }: PaletteCommand): Entry => ({
    id: `command ${id}`,
    run,
    shown: (
      <>
        {icon}
        <span className={classes.words}>{label}</span>
        {shortcut ? <KeyCap>{shortcut}</KeyCap> : null}
      </>
    ),
  });
  const entries: Entry[] = [
    ...(number
      ? [
          {
            id: "number",
            run: () => onNumber(number),
            shown: (
              <>
                <IconPhonePlus size="1.5rem" aria-hidden="true" />
                <span className={classes.words}>
                  {t("search.number", { number: wanted.trim() })}
                </span>
              </>
            ),
          },
        ]
      : []),
    ...sales.map((sale) => ({
      id: sale.saleId,
      run: () => onSale(sale),
      shown: <FoundSale sale={sale} />,
    })),
    ...shown.filter(({ isCustomer }) => isCustomer).map(ofCommand),
    ...found.brands.map((brand) => ({
      id: [brand.productType, brand.brand, brand.country, ...(brand.area?.countries ?? [])].join(
        "/",
      ),
      run: () => onBrand(brand),
      shown: <BrandFound brand={brand} />,
    })),
    ...found.offers.map((offer) => ({
      id: offer.offerId,
      run: () => onOffer(offer),
      shown: <OfferFound offer={offer} currency={currency} />,
    })),
    ...shown.filter(({ isCustomer }) => !isCustomer).map(ofCommand),
  ];
  return {
    entries,
    isBehind,
    isCurrent: index !== undefined && wanted === typed && !isBehind,
    emptyWords: index ? t("search.nothing") : waiting,
  };
}

/** Which family, and where it is for; of an eSIM of a region also in how many countries it works. */
function useFacts(): (found: FoundBrand) => string {
  const { t } = useTranslation();
  const format = useFormat();
  const words = usePlaceWords();
  return ({ productType, country, area }) =>
    [
      t(`family.${productType}.one`),
      country && format.country(country),
      ...(area?.regions ?? []).map(words.region),
      area && t("counter.esim.countries", { count: area.countries.length }),
    ]
      .filter(Boolean)
      .join(" · ");
}

function BrandFound({ brand }: { readonly brand: FoundBrand }) {
  const factsOf = useFacts();
  return (
    <>
      <BrandFace brand={brand.brand} name={brand.brandName} color={brand.brandColor} />
      <span className={classes.words}>
        <strong>
          <bdi>{brand.brandName}</bdi>
        </strong>
        <span className={classes.more}>{factsOf(brand)}</span>
      </span>
    </>
  );
}

function OfferFound({
  offer,
  currency,
}: {
  readonly offer: FoundOffer;
  readonly currency: PaletteProps["currency"];
}) {
  const format = useFormat();
  const factsOf = useFacts();
  return (
    <>
      <BrandFace brand={offer.brand} name={offer.brandName} color={offer.brandColor} />
      <span className={classes.words}>
        <span>
          <bdi>{offer.brandName}</bdi> · <bdi>{format.contents(offer.title)}</bdi>
        </span>
        <span className={classes.more}>{factsOf(offer)}</span>
      </span>
      <span className={classes.price}>
        {format.money(offer.price, currency.code, currency.divisor)}
      </span>
    </>
  );
}

function fitting(commands: readonly PaletteCommand[], typed: string): readonly PaletteCommand[] {
  const words = foldLetters(typed).split(/\s+/).filter(Boolean);
  return commands.filter(
    ({ label, isCustomer = false }) =>
      (words.length > 0 || !isCustomer) && words.every((word) => foldLetters(label).includes(word)),
  );
}

function readNumber(typed: string): string | undefined {
  if (!/^\+?[\d\s().-]+$/.test(latinDigits(typed).trim())) {
    return undefined;
  }
  return phoneDigits(typed).length >= LEAST_DIGITS ? typedNumber(typed) : undefined;
}

/** A sale by its number, with whom it was for, when, what became of it and what was paid. */
function FoundSale({ sale }: { readonly sale: Sale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const outcome = saleOutcomeAt(sale, now);
  return (
    <>
      <IconReceipt size="1.5rem" aria-hidden="true" />
      <span className={classes.words}>
        {t("sale.number", { number: sale.saleNumber })} ·{" "}
        <bdi dir={line?.recipientFormatted ? "ltr" : "auto"}>
          {(line && recipientOf(line)) || line?.brandName}
        </bdi>
        <span className={classes.more}>
          {[format.moment(sale.createdAt), line && lineTitle(line), t(`sale.outcome.${outcome}`)]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </span>
      <span className={classes.price}>
        {format.money(sale.total, sale.currency, sale.currencyDivisor)}
      </span>
    </>
  );
}
