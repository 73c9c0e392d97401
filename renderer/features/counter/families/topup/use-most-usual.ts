import { useMediaQuery } from "@mantine/hooks";

/** Two rows of four, or one more where the window has the room. */
const MOST_USUAL = 8;
const MOST_IN_LARGE = 9;
const LARGE = "(min-width: 100em) and (min-height: 50em)";

/** How many tiles stand below the empty field: as many as there are digits that pick them. */
export function useMostUsual(): number {
  return useMediaQuery(LARGE, false, { getInitialValueInEffect: false })
    ? MOST_IN_LARGE
    : MOST_USUAL;
}
