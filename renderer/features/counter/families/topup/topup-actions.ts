import type { PosBrand } from "../../../../../server/contract/pos/brands.ts";
import type { PosEarlierSale, PosPhoneChoice } from "../../../../../server/contract/pos/counter.ts";
import type { PosTopupOffer } from "../../../../../server/contract/pos/offers.ts";
import type { PosQuote } from "../../../../../server/contract/pos/quotes.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { KnownNumber } from "./favourites/known-numbers.ts";
import type { FieldChoice } from "./field-choices.ts";
import { itemOfEarlier, itemOfOffer } from "./topup-item.ts";
import type { TopupTypes } from "./topup-state.ts";
import type { CarrierOfNumber } from "./use-carrier-memory.ts";
import type { TopupAnswers } from "./use-topup-answers.ts";

/** What the steps of a top-up do, beyond what its machine does alone: they complete the line. */
export function topupActions(
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
      // The next code is scanned into an empty field.
      dispatch({ type: "reset" });
      things.openSale(choice.sale);
    } else {
      things.open(choice.thing);
    }
  }

  return {
    repeat,
    /** The last sale to a known number again; to the offers of one that was never sold to. */
    pickKnown,
    /** Goes on with a line below the field. */
    choose: chooseIn,
    /** What all of the words are, where they are no search: opens it. */
    openRead: state.query === "" ? undefined : things.reads(state.query),
    /** Other numbers that the digits can be, where there are such, else other carriers. */
    openOthers: () =>
      dispatch({
        type: state.step === "number" && state.phone?.choices ? "country-opened" : "carrier-opened",
      }),
    pickNumber: (picked: PosPhoneChoice) => {
      keepPhone(picked);
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
