import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type {
  PosEarlierSale,
  PosPhone,
  PosPhoneChoice,
} from "../../../../../server/contract/pos/counter.ts";
import { counterOperations } from "../../../../../server/contract/pos/counter-operations.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PosQuote } from "../../../../../server/contract/pos/quotes.ts";
import { UnreachableError } from "../../../../lib/api-client.ts";
import { useConnection } from "../../../../lib/connection-store.ts";
import { queryKeyOf } from "../../../../lib/operation-query.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { SAME_NUMBER_MS } from "../../../../lib/same-number.ts";
import { offersQuery, phoneQuery, putCarrier, recentsQuery } from "../../api/counter-queries.ts";
import { favouritesQuery } from "../../api/favourite-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import type { LineItem } from "../../sale/attempt/line-item.ts";
import { pauseOf } from "../../ui/pause.ts";
import { promosOn } from "../../ui/promos-on.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import { findKnown, type KnownNumber } from "./favourites/known-numbers.ts";
import { viewOffers } from "./offer-pages.ts";
import { itemOfEarlier, itemOfOffer } from "./topup-item.ts";
import { currentBrand, type TopupEvent, type TopupState } from "./topup-state.ts";

/** The carrier that a number has, as the clerk said it. */
interface CarrierOfNumber {
  readonly number: string;
  readonly brand: string;
}

export type Topup = ReturnType<typeof useTopup>;

/**
 * The machine of a top-up joined to the gateway: what it knows and what can be done.
 * @param homeCountry the shop's, empty when it is not known
 */
export function useTopup(
  state: TopupState,
  dispatch: (event: TopupEvent) => void,
  compose: (item: LineItem) => void,
  homeCountry: string,
) {
  const queryClient = useQueryClient();
  const connection = useConnection();
  const phone = useQuery({
    ...phoneQuery(state.digits),
    // What was known a digit ago stands until the next answer, unless the field was emptied.
    placeholderData: (previous: PosPhone | undefined) =>
      state.digits === "" ? undefined : previous,
  });
  const answer = phone.isPlaceholderData ? undefined : phone.data;
  const tell = useEffectEvent(dispatch);
  /** All of a number is what the next steps are about: it need not be asked for once more. */
  function keepKnown(told: PosPhoneChoice) {
    const { queryKey } = phoneQuery(told.number);
    if (!phone.isStale && queryClient.getQueryData(queryKey) === undefined) {
      queryClient.setQueryData(queryKey, told);
    }
  }

  const keep = useEffectEvent(keepKnown);
  useEffect(() => {
    if (answer) {
      if (answer.valid && answer.number !== state.digits) {
        const { choices: _, ...itself } = answer;
        keep(itself);
      }
      tell({ type: "phone-known", digits: state.digits, phone: answer });
    }
  }, [answer, state.digits]);

  const brand = currentBrand(state);
  const language = useTranslation().i18n.language;
  const offers = useQuery(offersQuery(state.phone?.country ?? "", brand?.brand ?? "", language));
  const view = useMemo(
    () => viewOffers(offers.data?.list ?? [], { subType: state.subType, page: state.page }),
    [offers.data, state.subType, state.page],
  );
  const { digits, query } = state;
  const itself = state.phone?.valid ? state.phone.number : undefined;
  const recents = useQuery(recentsQuery());
  const favourites = useQuery(favouritesQuery());
  const known = useMemo(
    () =>
      findKnown(
        recents.data?.list ?? [],
        favourites.data?.list ?? [],
        { digits, query },
        itself ?? digits,
      ),
    [recents.data, favourites.data, digits, query, itself],
  );
  const shown = [...known.recents, ...known.favourites];
  const lists = [recents, favourites];
  const amount = useAmount(state.amountOffer, state.amount, dispatch);
  const now = phone.data?.brands.find((one) => one.brand === brand?.brand);

  const [toRemember, rememberSoon] = useState<CarrierOfNumber>();
  const remember = useEffectEvent(({ number, brand: carrier }: CarrierOfNumber) => {
    // A carrier that is not remembered is asked again next time: nothing is lost.
    putCarrier(number, carrier)
      .then((told) =>
        // However the number was typed.
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
    // Once it is known that the digit was a choice, and not the first of a number.
    const timer = setTimeout(() => remember(toRemember), SAME_NUMBER_MS);
    return () => clearTimeout(timer);
  }, [toRemember]);

  const { cannotPay, short } = useWalletReach();

  function repeat(earlier: PosEarlierSale) {
    compose(itemOfEarlier(earlier));
  }

  function composeOffer(offer: PosTopupOffer, quoted?: PosQuote) {
    const item = itemOfOffer(state, offer, quoted);
    if (item) {
      compose(item);
    }
  }

  return {
    state,
    dispatch,
    homeCountry,
    /** The last answer, which may be for fewer digits: good for a hint, never for a verdict. */
    phone: phone.data,
    phoneFailed: phone.error,
    /** No answer is to be had at the moment: it is asked again by itself. */
    phoneAway: phone.failureReason instanceof UnreachableError || connection === "reconnecting",
    brand,
    pause: pauseOf(now),
    offers,
    promosOn: promosOn(offers.data),
    view,
    known,
    knownLoading: lists.some((list) => list.isPending && !troubleOf(list)),
    knownFailed: lists.some((list) => troubleOf(list)),
    /** The known numbers in the order of the arrow keys. */
    shown,
    /** The one Enter means: of names, the first unless the arrows chose another. */
    focused:
      shown.find(({ number }) => number === state.knownNumber) ??
      (query === "" ? undefined : shown[0]),
    /** The last sale to a known number again; to the offers of one that was never sold to. */
    pickKnown: ({ number, lastSale }: KnownNumber) => {
      if (lastSale) {
        repeat(lastSale);
      } else {
        dispatch({ type: "number-typed", digits: number });
        dispatch({ type: "number-entered" });
      }
    },
    amount,
    /** Other numbers that the digits can be, where there are such, else other carriers. */
    openOthers: () =>
      dispatch({
        type: state.step === "number" && state.phone?.choices ? "country-opened" : "carrier-opened",
      }),
    pickNumber: (picked: PosPhoneChoice) => {
      keepKnown(picked);
      dispatch({ type: "number-picked", phone: picked });
    },
    /** The clerk knows better: chosen now, and remembered for this number. */
    pickCarrier: (picked: PosBrand) => {
      dispatch({ type: "carrier-picked", brand: picked });
      const { phone: typed } = state;
      if (typed?.valid && picked.brand !== typed.detected?.brand) {
        rememberSoon({ number: typed.number, brand: picked.brand });
      }
    },
    /** What was chosen was the first digit of a number. */
    takeBack: () => rememberSoon(undefined),
    /** The wallet cannot pay for it: it is shown, and picking it tells why it is not sold. */
    cannotPay,
    /** What a wallet that is low can pay for. */
    walletShort: short,
    pickOffer: (offer: PosTopupOffer) => {
      if (cannotPay(offer)) {
        dispatch({ type: "tile-focused", id: offer.offerId });
      } else if (offer.priceType === "RANGE") {
        dispatch({ type: "range-picked", offer });
      } else {
        composeOffer(offer);
      }
    },
    repeat,
    enterAmount: (quote: PosQuote) => {
      if (state.amountOffer) {
        composeOffer(state.amountOffer, quote);
      }
    },
  };
}
