import { Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MovementKind, Shift } from "../../../../server/contract/pos/shifts.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { sendApproved, useApproval } from "../../../lib/approval-context.ts";
import { askForDrawer } from "../../../lib/drawer-requests.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { meaningOf } from "../../../lib/key-edge.ts";
import { fractionDigits, parseAmount } from "../../../lib/money.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { bookMovement, SHIFT_ANSWERS } from "../api/shift-queries.ts";
import { AmountInput } from "./cash-field.tsx";
import classes from "./shift-form.module.css";

interface MovementFormProps {
  readonly shift: Shift;
  readonly kind: MovementKind;
  /** True if the surrounding dialog shows the title. */
  readonly isTitled?: boolean;
  readonly onDone: () => void;
}

const LONGEST_REASON = 120;

/** `NO_SALE` only opens the drawer. */
export function MovementForm({ shift, kind, isTitled = false, onDone }: MovementFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const reasonField = useRef<HTMLTextAreaElement>(null);
  // A repeat after a lost response sends the same id, so that it is recorded only once.
  const [movementId, setMovementId] = useState(newId);
  const minor = parseAmount(amount, shift.currencyDivisor) ?? 0;
  const takesAmount = kind !== "NO_SALE";
  const hasAmount = !takesAmount || minor > 0;
  const lacksReason = kind !== "DROP" && reason.trim() === "";
  const book = useMutation({
    mutationFn: (movementId: string) =>
      sendApproved(approve, movementId, (approvalId) =>
        bookMovement(shift.shiftId, {
          movementId,
          kind,
          ...(takesAmount && { amount: minor }),
          ...(reason.trim() !== "" && { reason: reason.trim() }),
          ...(approvalId !== undefined && { approvalId }),
        }),
      ),
    onSuccess: (_, id) => {
      void invalidateAnswers(queryClient, SHIFT_ANSWERS);
      // The movement is already recorded, so that every opening has a record.
      askForDrawer({ reason: "MOVEMENT", id });
      onDone();
    },
  });

  function submit(event: FormEvent) {
    event.preventDefault();
    if (lacksReason) {
      reasonField.current?.focus();
    } else if (hasAmount && !book.isPending) {
      book.mutate(movementId);
    }
  }

  /** Submits on Enter, although a long reason is shown on several lines. */
  function submitWithEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
    if (meaningOf(event.nativeEvent).kind === "confirm") {
      event.preventDefault();
      event.currentTarget.form?.requestSubmit();
    }
  }

  return (
    <form className={classes.form} onSubmit={submit}>
      {isTitled ? null : <h2 className="size-label">{t(`shift.move.${kind}`)}</h2>}
      {takesAmount ? (
        <AmountInput
          label={t("shift.move.amount")}
          value={format.typedAmount(amount)}
          onType={(text) => {
            setMovementId(newId());
            setAmount(amountText(text, fractionDigits(shift.currencyDivisor)));
          }}
        />
      ) : null}
      <Textarea
        ref={reasonField}
        rows={1}
        data-autofocus={takesAmount ? undefined : true}
        autoFocus={!takesAmount}
        label={t("shift.move.reason")}
        description={t("shift.move.reasonHint")}
        maxLength={LONGEST_REASON}
        autoComplete="off"
        value={reason}
        onChange={({ currentTarget }) => {
          setMovementId(newId());
          setReason(currentTarget.value.replaceAll(/\s*\n\s*/g, " "));
        }}
        onKeyDown={submitWithEnter}
      />
      {book.error ? <ErrorNotice words={errorWords(book.error, t, format)} /> : null}
      <button type="submit" className={classes.primary} disabled={!hasAmount || book.isPending}>
        <span>{t("shift.move.save")}</span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}
