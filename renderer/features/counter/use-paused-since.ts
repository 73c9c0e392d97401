import { useQuery } from "@tanstack/react-query";
import { phoneQuery } from "./api/counter-queries.ts";
import { type CounterState, currentBrand } from "./counter-state.ts";

/**
 * Since when the provider of what is being sold is slow, so that it would wait. Always the newest
 * answer, for what was chosen or restored too: a pause begins and ends while somebody sells.
 */
export function usePausedSince(state: CounterState): string | undefined {
  const basket = state.attempt?.basket;
  const { data } = useQuery(phoneQuery(basket ? basket.number.slice(1) : state.digits));
  const sold = basket?.brand ?? currentBrand(state)?.brand;
  return data?.brands.find(({ brand }) => brand === sold)?.pausedSince;
}
