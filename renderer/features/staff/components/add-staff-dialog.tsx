import { Button, SegmentedControl, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ROLES } from "../../../../server/contract/pos/rights.ts";
import type { StaffInput } from "../../../../server/contract/pos/staff.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { pinFault } from "../../../lib/pin-fault.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { addStaff } from "../api/staff-queries.ts";
import classes from "./staff-screen.module.css";

interface AddStaffDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onAdded: () => unknown;
}

const MAX_NAME = 40;

/** A new person: name, role and the PIN they start with. */
export function AddStaffDialog({ opened, onClose, onAdded }: AddStaffDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const form = useForm<StaffInput>({
    initialValues: { name: "", role: "clerk", pin: "" },
    validate: {
      name: (name) => (name.trim() === "" ? t("setup.required") : null),
      pin: (pin, { role }) => pinFault(pin, role, t) ?? null,
    },
  });
  const add = useMutation({
    mutationFn: addStaff,
    onSuccess: () => {
      onAdded();
      close();
    },
  });

  function close() {
    form.reset();
    add.reset();
    onClose();
  }

  return (
    <Dialog opened={opened} onClose={close} title={t("staff.addTitle")}>
      <form
        className={classes.form}
        noValidate
        onSubmit={form.onSubmit((values) => add.mutate({ ...values, name: values.name.trim() }))}
      >
        <TextInput
          data-autofocus
          label={t("staff.name")}
          description={t("staff.nameHint", { length: form.values.name.length, max: MAX_NAME })}
          maxLength={MAX_NAME}
          autoComplete="off"
          {...form.getInputProps("name")}
        />
        <SegmentedControl
          fullWidth
          orientation="vertical"
          aria-label={t("staff.role")}
          data={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          {...form.getInputProps("role")}
        />
        <p className={classes.small}>{t(`staff.${form.values.role}Hint`)}</p>
        <PinField
          label={t("staff.pin")}
          description={t(form.values.role === "owner" ? "staff.ownerPinHint" : "staff.pinHint")}
          {...form.getInputProps("pin")}
        />
        <p className={classes.small}>{t("staff.firstPinHint")}</p>
        {add.error ? <ErrorNotice words={errorWords(add.error, t, format)} /> : null}
        <div className={classes.buttons}>
          <Button variant="default" onClick={close}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={add.isPending}>
            {t("staff.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
