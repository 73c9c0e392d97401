import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../../../server/contract/pos/sales.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { late } from "../../../lib/late.tsx";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { listenForSearch } from "../open-search.ts";
import type { FoundBrand, FoundOffer } from "../search-index.ts";

/** What the palette finds, to be fetched ahead of the first search. */
export const LatePaletteSearch = late(
  async () => (await import("./palette-search.tsx")).PaletteSearch,
);

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

/** Ctrl+K: everything that is sold and everything the till does, as it is typed. */
export function Palette(props: PaletteProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  useEffect(() => listenForSearch(() => setOpen(true)), []);
  useScreenKeys((event) => {
    if ((event.ctrlKey || event.metaKey) && !event.altKey && event.code === "KeyK") {
      event.preventDefault();
      setOpen(true);
    }
  });
  const close = () => setOpen(false);
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title={t("search.open")}
      size="lg"
      // The field stays where it is, however much is found.
      centered={false}
      yOffset="12dvh"
      isInstant
      padding={0}
      withCloseButton={false}
      isTitleHidden
    >
      {isOpen ? <LatePaletteSearch {...props} onDone={close} /> : null}
    </Dialog>
  );
}
