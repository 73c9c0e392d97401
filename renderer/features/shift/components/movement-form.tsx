import { Textarea } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type FormEvent, type KeyboardEvent, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { MovementInput, MovementKind, Shift } from "../../../../server/contract/pos/shifts.ts";
import { KeyCap } from "../../../components/key-cap.tsx";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { hasErrorCode, isRefusal } from "../../../lib/api-client.ts";
import { sendApproved, useApproval } from "../../../lib/approval-context.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { meaningOf } from "../../../lib/key-edge.ts";
import { drawerRequests } from "../../../lib/listeners.ts";
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
  const [amount, setAmount] = useState("");
  const [reason, setReason] = useState("");
  const reasonField = useRef<HTMLTextAreaElement>(null);
  const minor = parseAmount(amount, shift.currencyDivisor) ?? 0;
  const takesAmount = kind !== "NO_SALE";
  const hasAmount = !takesAmount || minor > 0;
  const lacksReason = kind !== "DROP" && reason.trim() === "";
  const { book, renewId, isRecorded } = useBooking(shift, onDone);

  function submit(event: FormEvent) {
    event.preventDefault();
    if (lacksReason) {
      reasonField.current?.focus();
    } else if (hasAmount && !book.isPending) {
      book.mutate({
        kind,
        ...(takesAmount && { amount: minor }),
        ...(reason.trim() !== "" && { reason: reason.trim() }),
      });
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
            renewId();
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
          renewId();
          setReason(currentTarget.value.replaceAll(/\s*\n\s*/g, " "));
        }}
        onKeyDown={submitWithEnter}
      />
      {isRecorded ? (
        <Notice tone="wait" loud>
          {t("shift.move.recorded")}
        </Notice>
      ) : null}
      {book.error && !isRecorded ? <ErrorNotice words={errorWords(book.error, t, format)} /> : null}
      <button type="submit" className={classes.primary} disabled={!hasAmount || book.isPending}>
        <span>{t("shift.move.save")}</span>
        <KeyCap>Enter</KeyCap>
      </button>
    </form>
  );
}

/**
 * While it is unknown whether a movement was recorded, every repeat sends the same id: the gateway
 * records one movement, and refuses other details with ID_TAKEN.
 */
function useBooking(shift: Shift, onDone: () => void) {
  const approve = useApproval();
  const queryClient = useQueryClient();
  const [movementId, setMovementId] = useState(newId);
  const book = useMutation({
    mutationFn: (movement: Omit<MovementInput, "movementId">) =>
      sendApproved(approve, movementId, (approvalId) =>
        bookMovement(shift.shiftId, {
          movementId,
          ...movement,
          ...(approvalId !== undefined && { approvalId }),
        }),
      ),
    onSuccess: () => {
      // The movement is already recorded, so that every opening has a record.
      drawerRequests.notify({ reason: "MOVEMENT", id: movementId });
      onDone();
    },
    onSettled: () => void invalidateAnswers(queryClient, SHIFT_ANSWERS),
  });
  const isUnknown = book.isPending || (book.error !== null && !isRefusal(book.error));
  return {
    book,
    /** True if an earlier request with other details was recorded. */
    isRecorded: hasErrorCode(book.error, "ID_TAKEN"),
    /** Called for each edit. */
    renewId: () => {
      if (!isUnknown) {
        setMovementId(newId());
        book.reset();
      }
    },
  };
}
