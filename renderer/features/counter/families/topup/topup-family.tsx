import { IconAlertTriangle, IconDeviceMobilePlus } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { getCountryCallingCode, isSupportedCountry } from "libphonenumber-js/min";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import { groupTyped, numberProblem, typedNumber } from "../../../../lib/phone-format.ts";
import { phoneQuery } from "../../api/counter-queries.ts";
import { amountControl } from "../../picker/amount/use-amount.ts";
import type { LineDetails, LineItem } from "../../sale/attempt/line-item.ts";
import { askingAgain, hasFailed, isAwaited } from "../../ui/asked.ts";
import { PAGE_SIZE } from "../../ui/page-size.ts";
import type { NextThing, StepControl, StepWords } from "../../ui/step-control.ts";
import { walletNext } from "../../ui/wallet.tsx";
import type { FamilyContext, FamilyPlugin, LineDraft, OpenFamily } from "../interface/family.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { NameButton } from "./favourites/name-button.tsx";
import { type FieldChoice, isNamed, picksAfter } from "./field-choices.ts";
import { neighbourTab, neighbourTile, tabOfLetter } from "./offer-pages.ts";
import {
  INITIAL_TOPUP,
  isOfBrand,
  lastSale,
  needsChoice,
  type TopupEvent,
  type TopupTypes,
  topupReducer,
} from "./topup-state.ts";
import { TopupSteps } from "./topup-steps.tsx";
import { readTyped } from "./typed-text.ts";
import { type Topup, useTopup } from "./use-topup.ts";

const topupLine: LineDetails = {
  headOf: ({ formatted = "" }) => formatted,
  Beside: CarrierDoubt,
  Below: NumberName,
};

function numberTyped(text: string): TopupEvent {
  return { type: "number-typed", digits: typedNumber(text) };
}

/** Returns the calling code with "+"; empty if the country is not supported. */
function codeOf(country: string): string {
  return isSupportedCountry(country) ? `+${getCountryCallingCode(country)}` : "";
}

function useOpenTopup(context: FamilyContext<TopupTypes>): OpenFamily {
  const { state, words, undo } = context;
  const topup = useTopup(context);
  return {
    control: topupControl(topup, words),
    pause: isOfBrand(state.step) ? topup.pause : undefined,
    showsPause: state.step === "number",
    ignoresPause: state.knownNumber !== undefined,
    openOthers: topup.openOthers,
    takeBack: topup.takeBack,
    draft: draftOf(topup),
    steps: (control) => <TopupSteps topup={topup} control={control} onUndo={undo} />,
  };
}

function draftOf({ state, brand, homeCountry, focused }: Topup): LineDraft | undefined {
  if (state.digits === "" || focused) {
    return undefined;
  }
  const { brand: code = "", brandName = "", brandColor = "" } = brand ?? {};
  const typed = groupTyped(state.digits, homeCountry);
  const title = state.phone?.valid
    ? state.phone.formatted
    : `${typed.addsPlus ? "+" : ""}${typed.formatted}`;
  return { brand: code, brandName, brandColor, title };
}

export const topupFamily: FamilyPlugin<TopupTypes> = {
  Icon: IconDeviceMobilePlus,
  initial: INITIAL_TOPUP,
  reduce: topupReducer,
  back: (state) => topupReducer(state, { type: "back" }),
  isUntouched: ({ digits, query, knownNumber, focusedTile, contacts }) =>
    digits === "" &&
    query === "" &&
    knownNumber === undefined &&
    focusedTile === undefined &&
    !contacts,
  underArrows: ({ step, knownNumber, focusedTile }) =>
    step === "number" ? (knownNumber ?? focusedTile) : focusedTile,
  typed: ({ digits, query, focusedTile, amount, contacts }) => [
    digits,
    query,
    focusedTile,
    amount,
    contacts,
  ],
  restored: ({ number = "" }) => ({ ...INITIAL_TOPUP, digits: number.slice(1) }),
  prefill: ({ number = "" }) => numberTyped(number),
  // The product determines the country, so a foreign number starts with the calling code.
  opens: ({ country }, till) => numberTyped(country === till.country ? "" : codeOf(country)),
  wishFor: ({ country }) => ({
    number: codeOf(country),
  }),
  number: {
    typed: (text) => topupReducer(INITIAL_TOPUP, readTyped(text, INITIAL_TOPUP)),
    isOpen: ({ step }) => step === "number",
    words: ({ query }) => query,
  },
  useOpen: useOpenTopup,
  line: topupLine,
  Sold: NumbersSold,
};

/** Offers to save each number under a name for the customer's next visit. */
function NumbersSold({ lines }: { readonly lines: readonly SaleLine[] }) {
  const numbers = new Map(
    lines
      .filter(({ outcome }) => outcome !== "NOT_DELIVERED")
      .map((line) => [line.recipientPhoneNumber, line.recipientFormatted]),
  );
  return [...numbers].map(([number, formatted]) =>
    number === undefined ? null : (
      <NameButton key={number} number={number} formatted={formatted} ofSeveral={numbers.size > 1} />
    ),
  );
}

/** Only warns: customers port numbers, so the carrier that the clerk chose may be right. */
function CarrierDoubt({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const { data } = useQuery(phoneQuery(item.number ?? ""));
  const detected = data?.detected;
  const looksLike = detected?.brand === item.brand ? detected.looksLike : detected?.brandName;
  return looksLike === undefined ? null : (
    <span className="inline-row gap-1 wait size-body medium">
      <IconAlertTriangle size="1.25rem" aria-hidden="true" />
      {t("counter.looksLike", { brand: looksLike })}
    </span>
  );
}

function NumberName({ item: { number = "", formatted = "" } }: { readonly item: LineItem }) {
  return (
    <div>
      <NameButton key={number} number={number} formatted={formatted} />
    </div>
  );
}

export function topupControl(topup: Topup, words: StepWords): StepControl {
  switch (topup.state.step) {
    case "number":
      return numberControl(topup, words);
    case "country":
      return countryControl(topup, words);
    case "carrier":
      return carrierControl(topup, words);
    case "offer":
      return offerControl(topup, words);
    case "amount":
      return amountControl(topup.amount, words, topup.enterAmount);
  }
}

/**
 * Only a digit or an arrow key chooses a number, because a top-up to the wrong number cannot be
 * undone.
 */
function countryControl({ state, dispatch, pickNumber }: Topup, { t }: StepWords): StepControl {
  const choices = state.phone?.choices ?? [];
  const focused = choices.find(({ number }) => number === state.focusedTile);
  const numbers = choices.map(({ number }) => number);
  return {
    typing: "none",
    confirmsFirst: true,
    next: {
      label: t("counter.next.whichNumber"),
      ready: focused !== undefined,
      ...(!focused && { missing: t("counter.next.whichNumber") }),
    },
    proceed: () => {
      if (focused) {
        pickNumber(focused);
      }
    },
    pick: (index) => {
      const picked = choices[index];
      if (picked) {
        pickNumber(picked);
      }
    },
    move: (step) =>
      dispatch({ type: "tile-focused", id: neighbour(numbers, state.focusedTile, step) }),
    moveTo: (end) => dispatch({ type: "tile-focused", id: endOf(numbers, end) }),
  };
}

function carrierControl({ state, dispatch, pickCarrier }: Topup, { t }: StepWords): StepControl {
  const focused = state.phone?.brands.find(({ brand }) => brand === state.focusedTile);
  const onPage = brandsOnPage(state);
  const codes = onPage.map(({ brand }) => brand);
  const pages = Math.ceil((state.phone?.brands.length ?? 0) / PAGE_SIZE);
  const pickBrand = (brand: PosBrand | undefined) => {
    if (brand) {
      pickCarrier(brand);
    }
  };
  return {
    typing: "none",
    next: focused
      ? { label: t("counter.next.offerPicked", { title: focused.brandName }), ready: true }
      : { label: t("counter.next.carrier"), ready: false, missing: t("counter.next.carrier") },
    proceed: () => pickBrand(focused),
    pick: (index) => pickBrand(onPage[index]),
    move: (step) =>
      dispatch({ type: "tile-focused", id: neighbour(codes, state.focusedTile, step) }),
    moveTo: (end) => dispatch({ type: "tile-focused", id: endOf(codes, end) }),
    turnPage: (step) => turnPage({ state, dispatch }, step, pages),
  };
}

function offerControl(topup: Topup, { t, inShop, contents }: StepWords): StepControl {
  const { state, dispatch, view } = topup;
  const focused = view.tiles.find(({ offerId }) => offerId === state.focusedTile);
  const earlier = lastSale(state);
  const repeatLast = () => {
    if (earlier) {
      topup.repeat(earlier);
    }
  };
  return {
    typing: "none",
    next: offerNext(),
    proceed: () => (focused ? topup.pickOffer(focused) : repeatLast()),
    pick: (index) => {
      const offer = view.tiles[index];
      if (offer) {
        topup.pickOffer(offer);
      }
    },
    zero: repeatLast,
    letter: (letter) => openTab(tabOfLetter(view, letter)),
    turnTab: (step) => openTab(neighbourTab(view, step)),
    turnPage: (step) => turnPage(topup, step, view.pages),
    move: (step) =>
      dispatch({ type: "tile-focused", id: neighbourTile(view, state.focusedTile, step) }),
    moveTo: (end) => dispatch({ type: "tile-focused", id: endOf(view.tiles, end)?.offerId }),
    ...(isAwaited(topup.offers) && { waits: "here" }),
    ...(hasFailed(topup.offers) && askingAgain(t)),
  };

  function openTab(subType: ReturnType<typeof neighbourTab>) {
    if (subType) {
      dispatch({ type: "tab-picked", subType });
    }
  }

  function offerNext(): NextThing {
    if (focused && topup.cannotPay(focused)) {
      return walletNext(t);
    }
    if (focused) {
      return {
        label: t("counter.next.offerPicked", { title: contents(focused.title) }),
        ready: true,
      };
    }
    return earlier
      ? { label: t("counter.next.again", { price: inShop(earlier.price) }), ready: true }
      : {
          label: t("counter.next.offer"),
          ready: false,
          missing: t("counter.next.offer"),
        };
  }
}

function brandsOnPage({ phone, page }: Topup["state"]): readonly PosBrand[] {
  return (phone?.brands ?? []).slice(page * PAGE_SIZE, (page + 1) * PAGE_SIZE);
}

/** Returns the next or previous id. Wraps around at the ends. */
function neighbour(ids: readonly string[], focused: string | undefined, step: -1 | 1) {
  const at = ids.indexOf(focused ?? "");
  const moved = at < 0 && step === -1 ? ids.length - 1 : at + step;
  return ids[(moved + ids.length) % ids.length];
}

function turnPage(
  { state, dispatch }: Pick<Topup, "state" | "dispatch">,
  step: -1 | 1,
  pages: number,
): void {
  const page = Math.min(Math.max(0, state.page + step), Math.max(0, pages - 1));
  dispatch({ type: "page-turned", page });
}

export function numberControl(topup: Topup, words: StepWords): StepControl {
  const { state, dispatch, focused, openRead } = topup;
  return {
    typing: "number",
    holdsNumber: state.digits !== "",
    holdsName: state.query !== "",
    next: nextOf(topup, words),
    // Keys wait for the answer, except while the gateway is unreachable: the clerk can then change
    // the number.
    ...(state.wantsOn && !topup.phoneAway && !topup.phoneFailed && { waits: "next" }),
    ...(topup.isBehind && { waits: "here" }),
    ...(focused && !openRead && { needsLook: !isNamed(focused, state.query) }),
    proceed: () => {
      if (openRead) {
        openRead();
      } else if (focused) {
        topup.choose(focused);
      } else {
        dispatch({ type: "number-entered" });
      }
    },
    type: (edit) => dispatch(readTyped(edit(state.query || state.digits), state)),
    ...(state.query !== "" && pickingOf(topup)),
    ...movingOf(topup),
  };
}

function pickingOf({
  state,
  choices,
  choose,
  isBegun,
}: Topup): Pick<StepControl, "pick" | "picksDigit"> {
  return {
    pick: (index) => {
      const choice = choices[index];
      if (choice) {
        choose(choice);
      }
    },
    picksDigit: (digit) =>
      choices.length >= Number(digit) && picksAfter(state.query, digit, isBegun),
  };
}

/** The arrow keys move through the list, and leave it at both ends. */
function movingOf({ choices, focused, dispatch }: Topup): Pick<StepControl, "move" | "moveTo"> {
  const moveTo = (choice: FieldChoice | undefined) =>
    dispatch(
      choice && !("known" in choice)
        ? { type: "tile-focused", id: choice.id }
        : { type: "known-focused", number: choice?.id },
    );
  return {
    move: (step) => {
      const first = step === 1 ? 0 : choices.length - 1;
      moveTo(choices[focused ? choices.indexOf(focused) + step : first]);
    },
    moveTo: (end) => moveTo(endOf(choices, end)),
  };
}

function nextOf(topup: Topup, words: StepWords): NextThing {
  const { t, inShop } = words;
  const { state, focused, openRead } = topup;
  if (openRead) {
    return { label: t("counter.next.plans"), ready: true };
  }
  if (focused && "sale" in focused) {
    const number = focused.sale.saleNumber;
    return { label: t("counter.next.sale", { number }), ready: true };
  }
  if (focused && "thing" in focused) {
    const title = titleOf(focused.thing, topup.homeCountry, words);
    return { label: t("counter.next.offerPicked", { title }), ready: true };
  }
  if (focused?.known.lastSale) {
    const price = inShop(focused.known.lastSale.price);
    return { label: t("counter.next.again", { price }), ready: true };
  }
  if (needsChoice(state.phone) && !focused) {
    return { label: t("counter.next.whichNumber"), ready: true };
  }
  if (state.digits === "" && state.query === "" && !focused) {
    return {
      label: t("counter.next.start"),
      ready: false,
      missing: t("counter.needed.number"),
    };
  }
  const takesTopups = state.phone?.valid === true && state.phone.mobile;
  const ready = focused !== undefined || (state.query === "" && takesTopups);
  const missing = ready ? undefined : whatIsMissing(topup, t);
  const label = !ready && missing ? missing : t("counter.next.number");
  return { label, ready, ...(missing && { missing }) };
}

/** Names the country of a foreign voucher, because many brands are sold for several countries. */
function titleOf(
  { brandName, country, offer }: SoldThing,
  home: string,
  { contents, country: named }: StepWords,
): string {
  const isAbroad = country !== "" && country !== home;
  return [brandName, offer && contents(offer.title), isAbroad && named(country)]
    .filter(Boolean)
    .join("\u00a0· ");
}

/** Returns the reason why the step is incomplete. Undefined until the gateway has answered. */
function whatIsMissing(
  { state: { digits, phone }, homeCountry }: Topup,
  t: StepWords["t"],
): string | undefined {
  if (digits === "") {
    return t("counter.needed.number");
  }
  if (phone?.valid) {
    return phone.mobile ? undefined : t("counter.problem.fixedLine");
  }
  return phone && t(`counter.problem.${numberProblem(digits, homeCountry)}`);
}

function endOf<Item>(items: readonly Item[], end: "first" | "last"): Item | undefined {
  return end === "first" ? items[0] : items.at(-1);
}
