import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import type { PosSession } from "../../server/contract/pos/staff.ts";
import { paramOfFamily, wishFor } from "../features/counter/families/index.ts";
import { Palette } from "../features/search/components/palette.tsx";
import type { FoundBrand } from "../features/search/search-index.ts";
import { isOfficeOnly } from "../lib/has-office.ts";
import { statusQuery } from "../lib/pos-queries.ts";
import { regionWords } from "../lib/region-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { type PaletteActions, usePaletteCommands } from "./palette-commands.tsx";
import { useSaleOpener } from "./use-sale-opener.ts";

interface CommandPaletteProps extends PaletteActions {
  readonly session: PosSession;
}

/** Ctrl+K from anywhere, for people who sell. */
export function CommandPalette(props: CommandPaletteProps) {
  return isOfficeOnly(props.session) ? null : <SellersPalette {...props} />;
}

/** What is found leads to the counter, with what is known typed already. */
function SellersPalette({ session, ...actions }: CommandPaletteProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const navigate = useNavigate();
  const { data: status } = useQuery(statusQuery());
  const commands = usePaletteCommands(session, actions);
  const openSale = useSaleOpener();

  /** To the counter, with what is known of the brand typed into the first step of its family. */
  function open({ productType, brandName, country, area }: FoundBrand) {
    const [region = ""] = area?.regions ?? [];
    const place = country ? format.country(country) : region && regionWords(region, t);
    const wish = wishFor(productType, { brandName, country, place });
    void navigate({ to: "/", search: { sell: paramOfFamily(productType), ...wish } });
  }

  return (
    <Palette
      commands={commands}
      homeCountry={status?.country ?? ""}
      currency={{ code: status?.currency ?? "", divisor: status?.currencyDivisor ?? 1 }}
      onBrand={open}
      onOffer={open}
      onSale={openSale}
      onNumber={(number) => void navigate({ to: "/", search: { sell: "topup", number } })}
    />
  );
}
