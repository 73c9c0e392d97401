import { useMediaQuery } from "@mantine/hooks";

/**
 * Width below which the rail, the main area and the current sale do not fit side by side, as in the
 * style sheets.
 */
const NARROW = "(max-width: 56.24em)";

export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
