import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent } from "react";
import type { PosPhone, PosPhoneChoice } from "../../../../../server/contract/pos/counter.ts";
import { UnreachableError } from "../../../../lib/api-client.ts";
import { useConnection } from "../../../../lib/connection-store.ts";
import { phoneQuery } from "../../api/counter-queries.ts";
import type { FamilyContext } from "../interface/family.ts";
import type { TopupTypes } from "./topup-state.ts";

/** Asks what is known of the number that is typed, and tells the machine. */
export function useTypedPhone({ state, dispatch }: FamilyContext<TopupTypes>) {
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
  // The same digits may be begun anew, which forgets what was known of them.
  const isForgotten = state.phone === undefined;
  useEffect(() => {
    if (answer && isForgotten) {
      tell({ type: "phone-known", digits: state.digits, phone: answer });
    }
  }, [answer, state.digits, isForgotten]);

  return {
    /** The last answer, which may be for fewer digits: good for a hint, never for a verdict. */
    phone: phone.data,
    phoneFailed: phone.error,
    /** No answer is to be had at the moment: it is asked again by itself. */
    phoneAway: phone.failureReason instanceof UnreachableError || connection === "reconnecting",
    keepPhone,
  };
}
