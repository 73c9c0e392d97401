import { useDebouncedValue, useMediaQuery } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import {
  counterOperations,
  type PosEarlierSale,
  type PosPhone,
  type PosPhoneChoice,
  type PosQuote,
} from "../../../../../server/contract/pos/counter.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { UnreachableError } from "../../../../lib/api-client.ts";
import { useConnection } from "../../../../lib/connection-store.ts";
import { queryKeyOf } from "../../../../lib/operation-query.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { SAME_NUMBER_MS } from "../../../../lib/same-number.ts";
import {
  phoneQuery,
  putCarrier,
  recentsQuery,
  saleByNumberQuery,
} from "../../api/counter-queries.ts";
import { favouritesQuery } from "../../api/favourite-queries.ts";
import { offersOfQuery } from "../../api/offer-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.tsx";
import { promosOn } from "../../ui/promo.tsx";
import type { StepControl } from "../../ui/step-control.ts";
import { useWalletReach } from "../../ui/wallet.tsx";
import type { FamilyContext } from "../interface/family.ts";
import type { SoldThing } from "../interface/sold-thing.ts";
import { findKnown, type KnownNumber, type TypedText } from "./favourites/known-numbers.ts";
import { type FieldChoice, fieldChoices, usualOfDigit } from "./field-choices.ts";
import { viewOffers } from "./offer-pages.ts";
import { currentBrand, needsChoice, type TopupState, type TopupTypes } from "./topup-state.ts";

export type Topup = ReturnType<typeof useTopup>;

export function useTopup(context: FamilyContext<TopupTypes>) {
  const { state, dispatch, till } = context;
  const answers = useTopupAnswers(context);
  const actions = topupActions(context, answers, useCarrierMemory());
  const choices = useTopupChoices(context, answers);
  const { phone, phoneFailed, phoneAway, offers, amount, wallet } = answers;
  const brand = currentBrand(state);
  return {
    state,
    dispatch,
    ...choices,
    ...actions,
    /** ISO 3166-1 alpha-2; empty if unknown. */
    homeCountry: till.country,
    numbered: answers.numbered,
    phone,
    phoneFailed,
    phoneAway,
    brand,
    offers,
    promosOn: promosOn(offers.data),
    amount,
    cannotPay: wallet.cannotPay,
    walletShort: wallet.short,
    pause: pauseOf(phone?.brands.find((one) => one.brand === brand?.brand)),
  };
}

function useTopupChoices(
  { state, things, till }: FamilyContext<TopupTypes>,
  { offers, recents, favourites, numbered }: TopupAnswers,
) {
  const { digits, query, subType, page } = state;
  const view = useMemo(
    () => viewOffers(offers.data?.list ?? [], { subType, page }),
    [offers.data, subType, page],
  );
  const most = useMostUsual();
  const usual = things.usual?.slice(0, most);
  const alone = query === "" ? usualOfDigit(usual, digits) : undefined;
  const isAtRest = query === "" && !state.contacts && (digits === "" || alone !== undefined);
  const itself = state.phone?.valid ? state.phone.number : undefined;
  const known = useMemo(
    () =>
      findKnown(
        recents.data?.list ?? [],
        favourites.data?.list ?? [],
        { digits: isAtRest ? "" : digits, query },
        itself ?? digits,
      ),
    [recents.data, favourites.data, isAtRest, digits, query, itself],
  );
  const shown = [...known.recents, ...known.favourites];
  const { contacts } = state;
  const choices = contacts
    ? contacts.map((known) => ({ id: known.number, known }))
    : choicesOf(
        { digits, query },
        { shown, usual, alone, found: things.list, sale: numbered.sale },
      );
  const arrowed = choices.find(({ id }) => id === (state.knownNumber ?? state.focusedTile));
  // For words, a usual product or a sale number, Enter picks the first choice. Other digits are a
  // phone number.
  const isFirstMeant = query !== "" || alone !== undefined || numbered.sale !== undefined;
  const focused = arrowed ?? (isFirstMeant ? choices[0] : undefined);
  const lists = [recents, favourites];
  const isEmpty = lists.every(({ data }) => data?.list.length === 0);
  return {
    view,
    known,
    knownLoading: lists.some((list) => list.isPending && !troubleOf(list)),
    knownFailed: lists.some((list) => troubleOf(list)),
    usual,
    /** True if the field is empty, or contains one digit that picks a usual product. */
    isAtRest,
    isNew: till.environment === "test" && isEmpty,
    choices,
    focused,
    isBehind: query !== "" && things.isBehind,
    isBegun: things.isBegun,
    correct: things.correct,
  };
}

interface Listed {
  readonly shown: readonly KnownNumber[];
  readonly usual: readonly SoldThing[] | undefined;
  readonly alone: SoldThing | undefined;
  readonly found: readonly SoldThing[];
  readonly sale: TopupAnswers["numbered"]["sale"];
}

/**
 * While the field is empty, usual products follow the customers. While a number is typed, only
 * customers are listed.
 */
function choicesOf(
  { digits, query }: TypedText,
  { shown, usual = [], alone, found, sale }: Listed,
): readonly FieldChoice[] {
  if (alone) {
    return [{ id: alone.id, thing: alone }];
  }
  const customers = fieldChoices(shown, query === "" ? [] : found, sale);
  return digits === "" && query === ""
    ? [...customers, ...usual.map((thing) => ({ id: thing.id, thing }))]
    : customers;
}

function topupActions(
  { state, dispatch, compose, things }: FamilyContext<TopupTypes>,
  { keepPhone, wallet }: TopupAnswers,
  rememberSoon: (chosen: CarrierOfNumber | undefined) => void,
) {
  function repeat(earlier: PosEarlierSale) {
    compose(itemOfEarlier(earlier));
  }

  function finish(offer: PosTopupOffer, quoted?: PosQuote) {
    const item = itemOfOffer(state, offer, quoted);
    if (item) {
      compose(item);
    }
  }

  function pickKnown({ number, lastSale }: KnownNumber) {
    if (lastSale) {
      repeat(lastSale);
    } else {
      dispatch({ type: "number-typed", digits: number });
      dispatch({ type: "number-entered" });
    }
  }

  function chooseIn(choice: FieldChoice) {
    if ("known" in choice) {
      pickKnown(choice.known);
    } else if ("sale" in choice) {
      // Leaves the field empty for the next scan.
      dispatch({ type: "reset" });
      things.openSale(choice.sale);
    } else {
      things.open(choice.thing);
    }
  }

  return {
    repeat,
    /** Repeats the last sale to a known number. Without such a sale, continues with the number. */
    pickKnown,
    choose: chooseIn,
    /** Opens text such as an ICCID in the family that recognises it. Undefined for search words. */
    openRead: state.query === "" ? undefined : things.reads(state.query),
    /** Opens the numbers that the digits may mean, or else the other carriers. */
    openOthers: () =>
      dispatch({
        type: state.step === "number" && state.phone?.choices ? "country-opened" : "carrier-opened",
      }),
    pickNumber: (picked: PosPhoneChoice) => {
      keepPhone(picked);
      dispatch({ type: "number-picked", phone: picked });
    },
    /** Overrides the detected carrier, and stores the choice for this number. */
    pickCarrier: (picked: PosBrand) => {
      dispatch({ type: "carrier-picked", brand: picked });
      const { phone: typed } = state;
      if (typed?.valid && picked.brand !== typed.detected?.brand) {
        rememberSoon({ number: typed.number, brand: picked.brand });
      }
    },
    /** Discards the chosen carrier, because the digit that chose it belonged to a number. */
    takeBack: () => rememberSoon(undefined),
    pickOffer: (offer: PosTopupOffer) => {
      if (wallet.cannotPay(offer)) {
        dispatch({ type: "tile-focused", id: offer.offerId });
      } else if (offer.priceType === "RANGE") {
        dispatch({ type: "range-picked", offer });
      } else {
        finish(offer);
      }
    },
    enterAmount: (quote: PosQuote) => {
      if (state.amountOffer) {
        finish(state.amountOffer, quote);
      }
    },
  };
}

interface Recipient {
  readonly phone: PosPhone | undefined;
  readonly chosenBrand: PosBrand | undefined;
}

/** The line of a FIXED offer needs no request. A RANGE offer needs the quote of its value. */
export function itemOfOffer(
  { phone, chosenBrand }: Recipient,
  offer: PosTopupOffer,
  quote?: PosQuote,
): LineItem | undefined {
  if (!phone || (offer.priceType === "RANGE" && !quote)) {
    return undefined;
  }
  const brands = chosenBrand ? [chosenBrand, ...phone.brands] : phone.brands;
  const brand = brands.find((candidate) => candidate.brand === offer.brand);
  return {
    productType: "TOPUP",
    number: phone.number,
    formatted: phone.formatted,
    country: phone.country,
    brand: offer.brand,
    brandName: offer.brandName,
    brandColor: brand?.brandColor ?? "",
    offerId: offer.offerId,
    title: offer.title,
    ...(quote?.value && { value: quote.value }),
    price: quote?.price ?? (offer.price.fixed ?? 0) + offer.price.fee,
    priceCurrency: offer.price.currency,
    priceCurrencyDivisor: offer.price.currencyDivisor,
    send: quote?.send ?? offer.send.fixed ?? 0,
    sendCurrency: offer.send.currency,
    sendCurrencyDivisor: offer.send.currencyDivisor,
  };
}

/** Builds the line of a repeated sale with its earlier price. A quote replaces the price later. */
export function itemOfEarlier(earlier: PosEarlierSale): LineItem {
  return {
    productType: "TOPUP",
    number: earlier.recipientPhoneNumber,
    formatted: earlier.recipientFormatted,
    country: earlier.country,
    brand: earlier.brand,
    brandName: earlier.brandName,
    brandColor: earlier.brandColor,
    offerId: earlier.offerId,
    title: earlier.title,
    ...(earlier.value && { value: earlier.value }),
    price: earlier.price,
    priceCurrency: earlier.priceCurrency,
    priceCurrencyDivisor: earlier.priceCurrencyDivisor,
  };
}

interface CarrierOfNumber {
  readonly number: string;
  readonly brand: string;
}

/**
 * Stores clerks' choices of carriers at the gateway.
 * @returns a function that sets the choice to store; undefined cancels a pending choice
 */
function useCarrierMemory(): (chosen: CarrierOfNumber | undefined) => void {
  const queryClient = useQueryClient();
  const [toRemember, rememberSoon] = useState<CarrierOfNumber>();
  const remember = useEffectEvent(({ number, brand: carrier }: CarrierOfNumber) => {
    // A failure is harmless: the till will ask for the carrier again.
    putCarrier(number, carrier)
      .then((told) =>
        // Updates each cached answer for this number, which may have been typed in several ways.
        queryClient.setQueriesData<PosPhone>(
          { queryKey: queryKeyOf(counterOperations.describePhone) },
          (known) => (known?.valid && known.number === told.number ? { ...known, ...told } : known),
        ),
      )
      .catch(() => undefined);
  });
  useEffect(() => {
    if (!toRemember) {
      return undefined;
    }
    // Waits until the digit cannot be the start of a phone number.
    const timer = setTimeout(() => remember(toRemember), SAME_NUMBER_MS);
    return () => clearTimeout(timer);
  }, [toRemember]);
  return rememberSoon;
}

/** Minimum number of digits of a printed receipt number, including leading zeros. */
const MIN_PRINTED_DIGITS = 6;
const MAX_PRINTED_DIGITS = 12;

const SEARCH_AFTER_MS = 200;

type TopupAnswers = ReturnType<typeof useTopupAnswers>;

function useTopupAnswers(context: FamilyContext<TopupTypes>) {
  const { state, dispatch } = context;
  const language = useTranslation().i18n.language;
  const country = state.phone?.country ?? "";
  const brand = currentBrand(state)?.brand;
  const place = country !== "" && brand !== undefined ? { brand, country } : undefined;
  return {
    ...useTypedPhone(context),
    offers: useQuery(offersOfQuery("TOPUP", place, language)),
    recents: useQuery(recentsQuery()),
    favourites: useQuery(favouritesQuery()),
    amount: useAmount(state.amountOffer, state.amount, dispatch),
    wallet: useWalletReach(),
    numbered: useSaleNumber(state),
  };
}

function useTypedPhone({ state, dispatch }: FamilyContext<TopupTypes>) {
  const queryClient = useQueryClient();
  const connection = useConnection();
  const phone = useQuery({
    ...phoneQuery(state.digits),
    // Shows the previous answer until the next arrives, unless the field is empty.
    placeholderData: (previous: PosPhone | undefined) =>
      state.digits === "" ? undefined : previous,
  });
  const answer = phone.isPlaceholderData ? undefined : phone.data;
  const tell = useEffectEvent(dispatch);
  /** Caches the answer for the whole number, which the next steps query. */
  function keepPhone(told: PosPhoneChoice) {
    const { queryKey } = phoneQuery(told.number);
    if (!phone.isStale && queryClient.getQueryData(queryKey) === undefined) {
      queryClient.setQueryData(queryKey, told);
    }
  }

  const keep = useEffectEvent(keepPhone);
  useEffect(() => {
    if (answer) {
      if (answer.valid && answer.number !== state.digits) {
        const { choices: _, ...itself } = answer;
        keep(itself);
      }
      tell({ type: "phone-known", digits: state.digits, phone: answer });
    }
  }, [answer, state.digits]);
  // The clerk may type the same digits again after a reset discarded the answer.
  const isForgotten = state.phone === undefined;
  useEffect(() => {
    if (answer && isForgotten) {
      tell({ type: "phone-known", digits: state.digits, phone: answer });
    }
  }, [answer, state.digits, isForgotten]);

  return {
    /**
     * Last answer, possibly for fewer digits: sufficient for a hint, but not for judging the
     * number.
     */
    phone: phone.data,
    phoneFailed: phone.error,
    /** True while the gateway does not answer. */
    phoneAway: phone.failureReason instanceof UnreachableError || connection === "reconnecting",
    keepPhone,
  };
}

interface NumberedSale {
  readonly number: number | undefined;
  readonly sale: Sale | undefined;
  readonly isAwaited: boolean;
  readonly hasFailed: boolean;
}

function useSaleNumber(state: TopupState): NumberedSale {
  const number = saleNumberOf(state);
  const [asked] = useDebouncedValue(number, SEARCH_AFTER_MS);
  const isAsked = number !== undefined && number === asked;
  const found = useQuery(saleByNumberQuery(isAsked ? number : undefined));
  const hasFailed = isAsked && troubleOf(found) !== undefined;
  return {
    number,
    // The response also contains sales to phone numbers with these digits.
    sale: isAsked ? found.data?.list.find(({ saleNumber }) => saleNumber === number) : undefined,
    isAwaited: number !== undefined && !hasFailed && (!isAsked || found.isPending),
    hasFailed,
  };
}

/** Reads a printed sale number, if the text is no phone number. */
function saleNumberOf({
  step,
  digits,
  query,
  phone,
}: Pick<TopupState, "step" | "digits" | "query" | "phone">): number | undefined {
  if (step !== "number") {
    return undefined;
  }
  const isNoPhone = phone !== undefined && !phone.valid && !needsChoice(phone);
  // The field has replaced the zeros of "001234" by "+".
  const printed = query || (isNoPhone ? digits.replace("+", "00") : "");
  const isPrinted =
    /^\d+$/.test(printed) &&
    printed.length >= MIN_PRINTED_DIGITS &&
    printed.length <= MAX_PRINTED_DIGITS;
  return isPrinted && Number(printed) > 0 ? Number(printed) : undefined;
}

/** Two rows of four tiles. A large window has nine tiles. */
const MAX_USUAL = 8;
const MAX_USUAL_IN_LARGE = 9;
const LARGE = "(min-width: 100em) and (min-height: 50em)";

/** Returns how many usual products are shown: at most nine, because each product needs a digit. */
export function useMostUsual(): number {
  return useMediaQuery(LARGE, false, { getInitialValueInEffect: false })
    ? MAX_USUAL_IN_LARGE
    : MAX_USUAL;
}

export interface TopupStepProps {
  readonly topup: Topup;
  readonly control: StepControl;
}
