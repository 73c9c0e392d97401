import { IconHelpCircle } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../../components/dialog/dialog.tsx";
import { sessionQuery } from "../../../../lib/pos-queries.ts";
import { useScreenCommand } from "../../../../lib/screen-commands.ts";
import { LinkButton } from "../../ui/link-button.tsx";
import type { LineItem } from "../attempt/line-item.ts";

/** Few people may see it, so that the counter does not wait for it. */
const WhyPrice = lazy(async () => ({
  default: (await import("../../../../components/why-price.tsx")).WhyPrice,
}));

/** Why the price is what it is, with what it costs: for people who may see the shop's figures alone. */
export function WhyPriceButton({ item }: { readonly item: LineItem }) {
  const { t } = useTranslation();
  const { data: session } = useQuery(sessionQuery());
  const [isOpen, setOpen] = useState(false);
  const mayAsk = session?.rights.seeFigures === true;
  useScreenCommand("why-price", () => setOpen(true), { enabled: mayAsk });
  if (!session || !mayAsk) {
    return null;
  }
  const { environment } = session;
  return (
    <>
      <LinkButton
        icon={<IconHelpCircle size="1.25rem" aria-hidden="true" />}
        shortcut="W"
        onPress={() => setOpen(true)}
      >
        {t("priceReason.title")}
      </LinkButton>
      {isOpen ? (
        <Dialog opened onClose={() => setOpen(false)} size="lg" title={t("priceReason.title")}>
          <Suspense fallback={null}>
            <WhyPrice environment={environment} offerId={item.offerId} value={item.value} />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  );
}
