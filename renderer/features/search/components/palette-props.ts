import type { ReactNode } from "react";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import type { FoundBrand, FoundOffer } from "../search-index.ts";

/** Something the till can do from anywhere. */
export interface PaletteCommand {
  readonly id: string;
  readonly label: string;
  /** The key that does the same without the palette. */
  readonly shortcut?: string;
  readonly icon: ReactNode;
  /** Before the products, and only once something is typed: there may be many of them. */
  readonly isCustomer?: boolean;
  readonly run: () => void;
}

export interface PaletteProps {
  readonly commands: readonly PaletteCommand[];
  readonly currency: { readonly code: string; readonly divisor: number };
  /** The shop's, empty where it is not known: what is sold for it comes first. */
  readonly homeCountry: string;
  readonly onBrand: (found: FoundBrand) => void;
  readonly onOffer: (found: FoundOffer) => void;
  /** A number to sell to, as it was typed. */
  readonly onNumber: (number: string) => void;
  /** A sale, to be looked at or printed again. */
  readonly onSale: (sale: Sale) => void;
}
