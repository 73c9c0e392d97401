import type { ComponentType } from "react";
import type { Translate } from "../../../../lib/i18n.ts";
import type { LineItem } from "../attempt/line-item.ts";

/** What the confirm step shows of a line that only its family knows. */
export interface LineDetails {
  /** The recipient, the largest thing on the screen: a mistake there cannot be undone. */
  readonly headOf: (item: LineItem, t: Translate) => string;
  /** Beside the brand. */
  readonly Beside?: ComponentType<{ readonly item: LineItem }>;
  /** Below the recipient. */
  readonly Below?: ComponentType<{ readonly item: LineItem }>;
}
