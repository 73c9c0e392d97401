import { IconClockPause } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { LinkButton } from "../../ui/link-button.tsx";

import type { CurrentSale } from "../basket/use-sale.ts";
import type { Held } from "./use-held.ts";

interface HoldButtonProps {
  readonly held: Held;
  readonly sale: CurrentSale;
}

/** Holds the basket. If the basket is empty, opens the list of held sales. */
export function HoldButton({ held, sale }: HoldButtonProps) {
  const { t } = useTranslation();
  const isSelling = sale.lines.length > 0;
  if (!isSelling && held.list.length === 0) {
    return null;
  }
  return (
    <LinkButton
      icon={<IconClockPause size="1.25rem" aria-hidden="true" />}
      shortcut="Alt+H"
      disabled={sale.state.paying}
      onPress={held.open}
    >
      {isSelling ? t("counter.held.hold") : t("counter.held.show", { count: held.list.length })}
    </LinkButton>
  );
}
