import type { ComponentType } from "react";
import type { Translate } from "../../../../lib/i18n.ts";
import type { LineItem } from "../attempt/line-item.ts";

export interface LineDetails {
  /**
   * Recipient in the largest type, because a wrong recipient cannot be corrected after the sale.
   */
  readonly headOf: (item: LineItem, t: Translate) => string;
  readonly Beside?: ComponentType<{ readonly item: LineItem }>;
  readonly Below?: ComponentType<{ readonly item: LineItem }>;
}
