import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { late } from "../../../lib/late.tsx";
import { useScreenKeys } from "../../../lib/use-screen-keys.ts";
import { listenForSearch } from "../open-search.ts";
import type { PaletteProps } from "./palette-props.ts";

/** What the palette finds, to be fetched ahead of the first search. */
export const LatePaletteSearch = late(
  async () => (await import("./palette-search.tsx")).PaletteSearch,
);

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
