import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { GiveBackInput } from "../../../server/contract/pos/give-backs.ts";
import { saleOperations } from "../../../server/contract/pos/sale-operations.ts";
import type { Sale } from "../../../server/contract/pos/sales.ts";
import { call, isRefusal } from "../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../lib/approval-context.ts";
import { askForDrawer } from "../../lib/drawer-requests.ts";
import { errorWords } from "../../lib/error-words.ts";
import { newId } from "../../lib/new-id.ts";
import { putSale } from "../../lib/pos-queries.ts";
import { useFormat } from "../../lib/use-format.ts";
import { ErrorNotice } from "../notice.tsx";
import { GiveBackAction } from "./give-back-action.tsx";
import { forgetGiveBack, giveBackIdOf } from "./give-back-store.ts";

interface GiveBackButtonProps {
  readonly sale: Sale;
  /** Whether Alt+G presses this button: one on a screen has it. */
  readonly hasKey?: boolean;
}

/** Books a customer refund of what was not delivered; Alt+G does the same. */
export function GiveBackButton({ sale, hasKey = true }: GiveBackButtonProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const approve = useApproval();
  const booking = useMutation({
    mutationFn: (kind?: GiveBackInput["kind"]) => bookGiveBack(sale, kind, approve),
    onSuccess: (booked) => putSale(queryClient, booked),
  });
  if (sale.giveBack === 0) {
    return null;
  }
  const money = (minor: number) => format.money(minor, sale.currency, sale.currencyDivisor);
  return (
    <>
      <GiveBackAction
        amount={money(sale.giveBack)}
        hasKey={hasKey}
        disabled={booking.isPending}
        ways={sale.giveBackTenders}
        money={money}
        onGive={() => booking.mutate(undefined)}
        onGiveInCash={() => booking.mutate("CASH")}
      />
      {booking.error ? <ErrorNotice words={errorWords(booking.error, t, format)} /> : null}
    </>
  );
}

/** Books it by the tenders it came by, or all by this kind, which takes the right to pay out. */
async function bookGiveBack(
  sale: Sale,
  kind: GiveBackInput["kind"],
  approve: ReturnType<typeof useApproval>,
): Promise<Sale> {
  const lines = sale.lines
    .filter(({ outcome, givenBack }) => outcome === "NOT_DELIVERED" && !givenBack)
    .map(({ transactionId }) => transactionId);
  const giveBackId = giveBackIdOf(sale.saleId, [...lines, kind ?? ""], newId);
  try {
    const booked = await sendApproved(approve, sale.saleId, (approvalId) =>
      call(saleOperations.giveBack, {
        params: { saleId: sale.saleId },
        body: {
          giveBackId,
          lines,
          ...(kind ? { kind } : {}),
          ...(approvalId ? { approvalId } : {}),
        },
      }),
    );
    forgetGiveBack(giveBackId);
    if (kind === "CASH" || sale.giveBackTenders.some((way) => way.kind === "CASH")) {
      askForDrawer({ reason: "GIVE_BACK", id: giveBackId });
    }
    return booked;
  } catch (error) {
    if (isRefusal(error) && error.status !== 403) {
      forgetGiveBack(giveBackId);
    }
    throw error;
  }
}
