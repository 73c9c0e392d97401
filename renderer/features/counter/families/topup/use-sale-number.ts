import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import type { Sale } from "../../../../../server/contract/pos/sales.ts";
import { troubleOf } from "../../../../lib/query-trouble.ts";
import { saleByNumberQuery } from "../../api/counter-queries.ts";
import { saleNumberOf } from "./sale-number.ts";
import type { TopupState } from "./topup-state.ts";

/** The gateway is asked when typing pauses. */
const SEARCH_AFTER_MS = 200;

export interface NumberedSale {
  /** The number that was read, where it can be one of a sale. */
  readonly number: number | undefined;
  readonly sale: Sale | undefined;
  /** Not answered yet. */
  readonly isAwaited: boolean;
  readonly hasFailed: boolean;
}

/** The sale whose receipt's number stands in the field, where that is no phone number. */
export function useSaleNumber(state: TopupState): NumberedSale {
  const number = saleNumberOf(state);
  const [asked] = useDebouncedValue(number, SEARCH_AFTER_MS);
  const isAsked = number !== undefined && number === asked;
  const found = useQuery(saleByNumberQuery(isAsked ? number : undefined));
  const hasFailed = isAsked && troubleOf(found) !== undefined;
  return {
    number,
    // Other sales are found by what they were sold to.
    sale: isAsked ? found.data?.list.find(({ saleNumber }) => saleNumber === number) : undefined,
    isAwaited: number !== undefined && !hasFailed && (!isAsked || found.isPending),
    hasFailed,
  };
}
