import { useQueryClient } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useState } from "react";
import type { PosPhone } from "../../../../../server/contract/pos/counter.ts";
import { counterOperations } from "../../../../../server/contract/pos/counter-operations.ts";
import { queryKeyOf } from "../../../../lib/operation-query.ts";
import { SAME_NUMBER_MS } from "../../../../lib/same-number.ts";
import { putCarrier } from "../../api/counter-queries.ts";

/** The carrier that a number has, as the clerk said it. */
export interface CarrierOfNumber {
  readonly number: string;
  readonly brand: string;
}

/**
 * Has the gateway remember the carrier that a clerk chose for a number.
 * @returns says the choice; undefined takes it back, where it was the first digit of a number
 */
export function useCarrierMemory(): (chosen: CarrierOfNumber | undefined) => void {
  const queryClient = useQueryClient();
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
  return rememberSoon;
}
