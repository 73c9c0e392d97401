import { Button } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import type { StaffMember } from "../../../../server/contract/pos/staff.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { pinFault } from "../../../lib/pin-fault.ts";
import { sessionQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeStaff } from "../api/staff-queries.ts";
import classes from "./staff-screen.module.css";

interface ResetPinDialogProps {
  readonly member: StaffMember | undefined;
  readonly onClose: () => void;
}

/** A new PIN for a person: it unlocks them, and signs them out where they were. */
export function ResetPinDialog({ member, onClose }: ResetPinDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: session } = useQuery(sessionQuery());
  const isSelf = member?.staffId === session?.staff.staffId;
  const form = useForm({
    initialValues: { pin: "" },
    validate: { pin: (pin) => pinFault(pin, member?.role ?? "clerk", t) ?? null },
  });
  const change = useMutation({ mutationFn: changeStaff, onSuccess: close });
  const name = member?.name ?? "";

  function close() {
    form.reset();
    change.reset();
    onClose();
  }

  return (
    <Dialog opened={member !== undefined} onClose={close} title={t("staff.resetPinFor", { name })}>
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit(({ pin }) => {
          if (member) {
            change.mutate({ staffId: member.staffId, change: { pin } });
          }
        })}
      >
        <p>
          {t(isSelf ? "staff.resetPinHint" : "staff.givenPinHint", {
            name,
          })}
        </p>
        <PinField
          data-autofocus
          label={t("staff.newPin")}
          description={t(member?.role === "owner" ? "staff.ownerPinHint" : "staff.pinHint")}
          {...form.getInputProps("pin")}
        />
        {change.error ? <ErrorNotice words={errorWords(change.error, t, format)} /> : null}
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={change.isPending}>
            {t("staff.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
