import { useMediaQuery } from "@mantine/hooks";

/** Too narrow for rail, work and current sale side by side; the same width as in the style sheets. */
const NARROW = "(max-width: 56.24em)";

/** Returns whether the till has one column, as on a phone or an upright tablet. */
export function useIsNarrow(): boolean {
  return useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
}
