import { useMediaQuery } from "@mantine/hooks";

/** Narrower than the rail, the work and the current sale beside each other: the width of the style sheets. */
const NARROW = "(max-width: 56.24em)";

/** Whether the till stands in one column, as on a telephone or a tablet held upright. */
export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
