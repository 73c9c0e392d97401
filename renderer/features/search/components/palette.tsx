import "@mantine/spotlight/styles.css";
import { createSpotlight, Spotlight, useSpotlight } from "@mantine/spotlight";
import { IconPhonePlus, IconReceipt, IconSearch } from "@tabler/icons-react";
import {
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffectEvent,
  useLayoutEffect,
  useMemo,
  useState,
} from "react";
import { useTranslation } from "react-i18next";
import { nameOutcome } from "../../../../server/contract/pos/outcome.ts";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { EarlyText, SpokenTitle } from "../../../components/dialog/dialog-layer.tsx";
import { KeyCap } from "../../../components/key-cap.tsx";
import { TYPING_MS, useAnnounced } from "../../../lib/announcer.ts";
import { usePlaceWords, useRecipient } from "../../../lib/destination.ts";
import { latinDigits } from "../../../lib/direction.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { phoneDigits, typedNumber } from "../../../lib/phone-format.ts";
import { saleLineAt, saleOutcomeAt } from "../../../lib/sale-outcome.ts";
import { foldLetters } from "../../../lib/search-text.ts";
import { useLineTitle } from "../../../lib/sold-title.ts";
import { useFormat } from "../../../lib/use-format.ts";
import type { Found, FoundBrand, FoundOffer } from "../search-index.ts";
import { useFoundSales } from "../use-found-sales.ts";
import { useSearchIndex } from "../use-search-index.ts";
import classes from "./palette.module.css";

export interface PaletteCommand {
  readonly id: string;
  readonly label: string;
  readonly shortcut?: string;
  readonly icon: ReactNode;
  /**
   * True for a customer. Customers are above the products, and hidden before typing, because there
   * may be many.
   */
  readonly isCustomer?: boolean;
  readonly run: () => void;
}

interface PaletteProps extends FoundProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly content: RefObject<HTMLDivElement | null>;
}

interface FoundProps {
  readonly commands: readonly PaletteCommand[];
  readonly currency: { readonly code: string; readonly divisor: number };
  /** Offers of this country come first. Empty if unknown. */
  readonly homeCountry: string;
  readonly onBrand: (found: FoundBrand) => void;
  readonly onOffer: (found: FoundOffer) => void;
  readonly onNumber: (number: string) => void;
  readonly onSale: (sale: Sale) => void;
}

interface Entry {
  readonly id: string;
  readonly shown: ReactNode;
  readonly run: () => void;
}

const LIMIT = { brands: 6, offers: 12 };
const NOTHING: Found = { brands: [], offers: [] };
const LEAST_DIGITS = 6;

export function Palette({ opened, onClose, content, ...search }: PaletteProps) {
  const { t } = useTranslation();
  const [[store, spotlight]] = useState(createSpotlight);
  useLayoutEffect(() => {
    if (opened) {
      store.setState({ ...store.getState(), query: "" });
      spotlight.open();
    } else {
      spotlight.close();
    }
  }, [opened, store, spotlight]);
  return (
    <Spotlight.Root
      store={store}
      onSpotlightClose={onClose}
      // Keys, Escape and focus are handled as in every dialog (renderer/lib/open-dialogs.ts).
      shortcut={null}
      closeOnEscape={false}
      returnFocus={false}
      closeOnActionTrigger={false}
      transitionProps={{ duration: 0 }}
      size="lg"
      // Below the on-screen keyboard (screen-keyboard.module.css).
      zIndex={300}
      // Fixed, so that the field does not move while the list grows.
      yOffset="12dvh"
    >
      <SpokenTitle>{t("search.open")}</SpokenTitle>
      <div ref={content}>
        <Search {...search} store={store} onDone={onClose} />
      </div>
      <EarlyText content={content} />
    </Spotlight.Root>
  );
}

type Store = ReturnType<typeof createSpotlight>[0];

/** Spotlight moves the selection and runs the selected entry. The ARIA roles are set here. */
function Search(props: FoundProps & { readonly store: Store; readonly onDone: () => void }) {
  const { t } = useTranslation();
  const { store, onDone } = props;
  const { query: typed, selected, listId } = useSpotlight(store);
  const { entries, isCurrent, isBehind, emptyWords } = useEntries(props, typed);
  const [waitsFor, setWaitsFor] = useState<string>();
  useAnnounced(
    typed !== "" && isCurrent ? t("search.found", { count: entries.length }) : undefined,
    { afterMs: TYPING_MS },
  );
  const run = (entry: Entry | undefined) => {
    onDone();
    entry?.run();
  };
  const listed = entries.map(({ id }) => id).join("\n");
  useLayoutEffect(() => {
    if (listed || typed) store.setState({ ...store.getState(), selected: typed ? 0 : -1 });
  }, [listed, typed, store]);
  const runAwaited = useEffectEvent(() => {
    setWaitsFor(undefined);
    if (waitsFor === typed && entries.length > 0) run(entries[0]);
  });
  useLayoutEffect(() => {
    if (isCurrent && typed) queueMicrotask(() => runAwaited());
  }, [isCurrent, typed]);
  return (
    <>
      <Spotlight.Search
        data-autofocus
        data-palette-field
        classNames={{ input: classes.field ?? "" }}
        role="combobox"
        aria-expanded={entries.length > 0}
        aria-controls={listId}
        aria-activedescendant={entries[selected] && `${listId}-${selected}`}
        aria-autocomplete="list"
        aria-label={t("search.placeholder")}
        placeholder={t("search.placeholder")}
        autoComplete="off"
        spellCheck={false}
        leftSection={<IconSearch size="1.25rem" aria-hidden="true" />}
        // Spotlight marks the selection in the DOM only, so this triggers a render.
        onKeyDown={() => queueMicrotask(() => store.setState({ ...store.getState() }))}
        onKeyDownCapture={(event) => {
          // The results may belong to an earlier text, so Enter waits.
          if (event.key !== "Enter" || !typed || isCurrent) return;
          event.preventDefault();
          event.stopPropagation();
          setWaitsFor(typed);
        }}
      />
      <Spotlight.ActionsList role="listbox" aria-label={t("search.open")} className={classes.list}>
        {entries.map((entry, index) => (
          <Spotlight.Action
            // A new key per list replaces the rows instead of moving them under a finger.
            key={`${listed} ${entry.id}`}
            // Spotlight does not pass on the id for `aria-activedescendant`.
            ref={(node: HTMLButtonElement | null) => {
              if (node) node.id = `${listId}-${index}`;
            }}
            role="option"
            aria-selected={index === selected}
            data-selected={index === selected || undefined}
            className={classes.action}
            onClick={() => run(entry)}
          >
            {entry.shown}
          </Spotlight.Action>
        ))}
      </Spotlight.ActionsList>
      {entries.length === 0 && !isBehind ? <Spotlight.Empty>{emptyWords}</Spotlight.Empty> : null}
    </>
  );
}

/** Returns the entries for the typed text, best first. */
function useEntries(
  { commands, currency, homeCountry, onBrand, onOffer, onNumber, onSale }: FoundProps,
  typed: string,
) {
  const { t } = useTranslation();
  const { index, isAway } = useSearchIndex(true);
  // The typed text renders first, the results in the next frame at the latest.
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

/** Names family and country of a brand. For a regional eSIM, the number of countries. */
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
  readonly currency: FoundProps["currency"];
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

function FoundSale({ sale }: { readonly sale: Sale }) {
  const { t } = useTranslation();
  const format = useFormat();
  const now = useNow();
  const lineTitle = useLineTitle();
  const recipientOf = useRecipient();
  const line = saleLineAt(sale, now);
  const outcome = nameOutcome(saleOutcomeAt(sale, now), sale.lines);
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
