import { useEffect, useRef, useState } from "react";
import { useOpenDialog } from "../components/dialog/dialog.tsx";
import { listenForSearch } from "../features/search/open-search.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { isPaletteKey } from "../lib/key-edge.ts";
import { useOnceTrue } from "../lib/use-before.ts";
import { useScreenKeys } from "../lib/use-screen-keys.ts";
import { LateSellersPalette } from "./late-parts.ts";
import type { SellersPaletteProps } from "./sellers-palette.tsx";

type CommandPaletteProps = Omit<SellersPaletteProps, "opened" | "onClose" | "content">;

export function CommandPalette(props: CommandPaletteProps) {
  return isOfficeOnly(props.session) ? null : <PaletteOpener {...props} />;
}

/** Buffers keystrokes until the palette's script has loaded. */
function PaletteOpener(props: CommandPaletteProps) {
  const [isOpen, setOpen] = useState(false);
  const content = useRef<HTMLDivElement>(null);
  const close = () => setOpen(false);
  useEffect(() => listenForSearch(() => setOpen(true)), []);
  useScreenKeys((event) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      setOpen(true);
    }
  });
  useOpenDialog(isOpen, close, content);
  return useOnceTrue(isOpen) ? (
    <LateSellersPalette {...props} opened={isOpen} onClose={close} content={content} />
  ) : null;
}
