import { Button } from "@mantine/core";
import { IconQrcode } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useState } from "react";
import { useTranslation } from "react-i18next";
import { receiptPageOperations } from "../../server/contract/pos/receipt-pages.ts";
import { sells } from "../../server/contract/pos/rights.ts";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { operationQuery } from "../lib/operation-query.ts";
import { sessionQuery } from "../lib/pos-queries.ts";
import { useScreenCommand } from "../lib/screen-commands.ts";
import { Dialog } from "./dialog/dialog.tsx";
import { KeyCap } from "./key-cap.tsx";

/** Loaded on demand, so that the counter does not wait for it. */
const SendReceipt = lazy(async () => ({
  default: (await import("./send-receipt.tsx")).SendReceipt,
}));

const WAYS_KEPT_MS = 60_000;

export function SendReceiptButton({ sale }: { readonly sale: Sale }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { data: session } = useQuery(sessionQuery());
  const isSeller = session ? sells(session.staff.role) : false;
  const { data: ways } = useQuery({
    ...operationQuery(receiptPageOperations.ways),
    staleTime: WAYS_KEPT_MS,
    enabled: isSeller,
  });
  const isAwaited = ways === undefined && isSeller;
  const canSend = ways !== undefined && (ways.enabled || ways.mail);
  useScreenCommand("send-receipt", () => setOpen(true), { enabled: canSend });
  if (!(canSend || isAwaited)) {
    return null;
  }
  return (
    <>
      <Button
        variant="default"
        fullWidth
        disabled={isAwaited}
        leftSection={<IconQrcode size="1.25rem" aria-hidden="true" />}
        rightSection={<KeyCap>Alt+S</KeyCap>}
        onClick={() => setOpen(true)}
      >
        {t("sale.send.button")}
      </Button>
      {isOpen && ways ? (
        <Dialog opened onClose={() => setOpen(false)} title={t("sale.send.button")}>
          <Suspense fallback={null}>
            <SendReceipt sale={sale} ways={ways} />
          </Suspense>
        </Dialog>
      ) : null}
    </>
  );
}
