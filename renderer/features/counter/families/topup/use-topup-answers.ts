import { useDebouncedValue } from "@mantine/hooks";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import { useTranslation } from "react-i18next";
import type { PosPhone, PosPhoneChoice } from "../../../../../server/contract/pos/counter.ts";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { UnreachableError } from "../../../../lib/api-client.ts";
import { useConnection } from "../../../../lib/connection-store.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { phoneQuery, recentsQuery, saleByNumberQuery } from "../../api/counter-queries.ts";
import { favouritesQuery } from "../../api/favourite-queries.ts";
import { offersOfQuery } from "../../api/offer-queries.ts";
import { useAmount } from "../../picker/amount/use-amount.ts";
import { useWalletReach } from "../../ui/use-wallet-reach.ts";
import type { FamilyContext } from "../interface/family.ts";
import { currentBrand, needsChoice, type TopupState, type TopupTypes } from "./topup-state.ts";

/** Minimum number of digits of a printed receipt number, including leading zeros. */
const MIN_PRINTED_DIGITS = 6;
const MAX_PRINTED_DIGITS = 12;

const SEARCH_AFTER_MS = 200;

export type TopupAnswers = ReturnType<typeof useTopupAnswers>;

export function useTopupAnswers(context: FamilyContext<TopupTypes>) {
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
