import { useMediaQuery } from "@mantine/hooks";

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
