import { monogramText } from "../../server/contract/pos/brand-monogram.ts";
import classes from "./brand-monogram.module.css";
import { monogramColors } from "./monogram.ts";

interface BrandMonogramProps {
  readonly name: string;
  /** "#rrggbb", or empty for a neutral tile. */
  readonly color: string;
  readonly size?: "small" | "large";
}

/** A brand as its initials on its colour. Decoration: the brand's name stands beside it. */
export function BrandMonogram({ name, color, size = "small" }: BrandMonogramProps) {
  return (
    <span
      className={classes.monogram}
      data-size={size}
      style={monogramColors(color)}
      aria-hidden="true"
    >
      {monogramText(name)}
    </span>
  );
}
