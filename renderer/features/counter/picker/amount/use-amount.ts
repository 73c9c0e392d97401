import { useQuery } from "@tanstack/react-query";
import type { PosQuote, PosQuoteInput } from "../../../../../server/contract/pos/counter.ts";
import type { PosVoucherOffer } from "../../../../../server/contract/pos/offers.ts";
import type { WalletShort } from "../../../../../server/contract/pos/wallet.ts";
import { amountText } from "../../../../lib/amount-text.ts";
import { fractionDigits, parseAmount } from "../../../../lib/money.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { quoteQuery } from "../../api/counter-queries.ts";
import { isAwaited } from "../../ui/asked.ts";
import type { NextThing, StepControl, StepWords } from "../../ui/step-control.ts";
import { useWalletShort, walletNext } from "../../ui/wallet.tsx";
import type { AmountEvent, AmountSide, AmountState } from "./amount-state.ts";

export interface Amount {
  readonly state: AmountState;
  readonly dispatch: (event: AmountEvent) => void;
  readonly offer: RangeOffer | undefined;
  readonly isAllowed: boolean;
  readonly stepped: number | undefined;
  readonly quote: PosQuote | undefined;
  readonly isAwaited: boolean;
  readonly error: unknown;
  /** Spendable balance, if it does not cover the typed amount. */
  readonly walletShort: WalletShort | undefined;
}

export function useAmount(
  offer: RangeOffer | undefined,
  state: AmountState,
  dispatch: (event: AmountEvent) => void,
): Amount {
  const read = offer ? readAmount(offer, state.side, state.text) : undefined;
  const quote = useQuery(quoteQuery(read?.input));
  const walletShort = useWalletShort(read?.input ? [read.input] : []);
  return {
    state,
    dispatch,
    offer,
    isAllowed: read?.input !== undefined,
    stepped: read?.stepped,
    quote: read?.input ? quote.data : undefined,
    isAwaited: isAwaited(quote),
    error: read?.input ? troubleOf(quote) : undefined,
    walletShort,
  };
}

export function amountControl(
  { state, dispatch, offer, quote, isAwaited, walletShort }: Amount,
  { t, inShop }: StepWords,
  onEntered: (quote: PosQuote) => void,
): StepControl {
  const divisor = offer?.[state.side === "ZEND" ? "send" : "price"].currencyDivisor ?? 1;
  return {
    typing: "amount",
    ...(isAwaited && { waits: "here" }),
    next: next(),
    proceed: () => {
      if (quote && !walletShort) {
        onEntered(quote);
      }
    },
    type: (edit) =>
      dispatch({
        type: "amount-typed",
        text: amountText(edit(state.text), fractionDigits(divisor)),
      }),
    move: () => dispatch({ type: "amount-side", side: state.side === "ZEND" ? "PRICE" : "ZEND" }),
  };

  function next(): NextThing {
    if (quote && walletShort) {
      return walletNext(t);
    }
    if (quote) {
      return { label: t("counter.next.amountPriced", { price: inShop(quote.price) }), ready: true };
    }
    const missing = t("counter.next.amountMissing");
    return state.text === ""
      ? { label: missing, ready: false, missing }
      : { label: t("counter.next.amount"), ready: false };
  }
}

export type RangeOffer = Pick<
  PosVoucherOffer,
  "offerId" | "brand" | "brandName" | "brandColor" | "price" | "send"
>;

interface AmountInput {
  /** Undefined if the offer does not allow the typed amount. */
  readonly input: PosQuoteInput | undefined;
  /** Price of the lower step, if the typed price is between two steps. */
  readonly stepped: number | undefined;
}

export function readAmount(
  offer: Pick<RangeOffer, "offerId" | "price" | "send">,
  side: AmountSide,
  text: string,
): AmountInput {
  const range = side === "ZEND" ? offer.send : offer.price;
  const typed = parseAmount(text, range.currencyDivisor);
  const min = Math.max(1, range.min ?? 1);
  if (typed === undefined || typed < min || typed > (range.max ?? typed)) {
    return { input: undefined, stepped: undefined };
  }
  const step = side === "PRICE" ? (offer.price.increment ?? 1) : 1;
  const value = typed - ((typed - (range.min ?? 0)) % step);
  return {
    input: { offerId: offer.offerId, value: { type: side, value } },
    stepped: value === typed ? undefined : value,
  };
}
