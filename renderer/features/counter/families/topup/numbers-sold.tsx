import type { SaleLine } from "../../../../../server/contract/pos/sale-lines.ts";
import { NameButton } from "./favourites/name-button.tsx";

/** The customer may be back: each number can be kept under a name. */
export function NumbersSold({ lines }: { readonly lines: readonly SaleLine[] }) {
  const numbers = new Map(
    lines
      .filter(({ outcome }) => outcome !== "NOT_DELIVERED")
      .map((line) => [line.recipientPhoneNumber, line.recipientFormatted]),
  );
  return [...numbers].map(([number, formatted]) =>
    number === undefined ? null : (
      <NameButton key={number} number={number} formatted={formatted} ofSeveral={numbers.size > 1} />
    ),
  );
}
