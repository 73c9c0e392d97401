import { Button } from "@mantine/core";
import { IconEye, IconEyeOff } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { type Sale, saleOperations } from "../../server/contract/pos/sales.ts";
import { call } from "../lib/api-client.ts";
import { sendApproved, useApproval } from "../lib/approval-context.ts";
import { Trouble } from "./notice.tsx";

/** Time in milliseconds until a PIN is hidden again, if the clerk forgets to hide it. */
const SHOWN_MS = 60_000;

interface RevealDetailsProps {
  readonly sale: Sale;
  readonly revealed: Sale | undefined;
  readonly onReveal: (sale: Sale | undefined) => void;
}

/**
 * Shows a hidden PIN or code, by permission or approval. The audit trail records it
 * (rules#redemption-shown-to-seller).
 */
export function RevealDetails({ sale, revealed, onReveal }: RevealDetailsProps) {
  const { t } = useTranslation();
  const approve = useApproval();
  const { saleId } = sale;
  const reveal = useMutation({
    mutationFn: () =>
      sendApproved(approve, saleId, (approvalId) =>
        call(saleOperations.reveal, {
          params: { saleId },
          body: approvalId ? { approvalId } : {},
        }),
      ),
    onSuccess: onReveal,
  });
  useEffect(() => {
    if (!revealed) {
      return undefined;
    }
    const hide = setTimeout(() => onReveal(undefined), SHOWN_MS);
    return () => clearTimeout(hide);
  }, [revealed, onReveal]);
  if (!revealed && sale.lines.every(({ details }) => details !== "HIDDEN")) {
    return null;
  }
  return (
    <div className="stack items-start gap-2">
      {revealed ? null : <p>{t("sale.reveal.hint")}</p>}
      <Button
        variant="default"
        leftSection={revealed ? <IconEyeOff aria-hidden="true" /> : <IconEye aria-hidden="true" />}
        loading={reveal.isPending}
        onClick={() => (revealed ? onReveal(undefined) : reveal.mutate())}
      >
        {t(revealed ? "sale.reveal.hide" : "sale.reveal.show")}
      </Button>
      <Trouble error={reveal.error} />
    </div>
  );
}
