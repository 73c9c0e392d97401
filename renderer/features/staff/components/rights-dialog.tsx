import { Button, SegmentedControl, Switch, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ROLES, sells, switchRightsOf } from "../../../../server/contract/pos/rights.ts";
import type { StaffMember } from "../../../../server/contract/pos/staff.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { fractionDigits } from "../../../lib/money.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeStaff } from "../api/staff-queries.ts";
import {
  LIMIT_NAMES,
  limitErrors,
  limitWords,
  newRights,
  type RightsForm,
  rightsForm,
  toChange,
} from "../rights-form.ts";
import classes from "./staff-screen.module.css";

interface Unit {
  readonly currency: string;
  readonly currencyDivisor: number;
}

interface RightsDialogProps {
  readonly member: StaffMember;
  readonly isSelf: boolean;
  readonly unit: Unit;
  readonly onClose: () => void;
  readonly onSaved: () => unknown;
}

export function RightsDialog({ member, isSelf, unit, onClose, onSaved }: RightsDialogProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [form, setForm] = useState(() =>
    rightsForm(member, unit.currencyDivisor, format.typedAmount),
  );
  const [isTried, setIsTried] = useState(false);
  const errors = isTried ? limitErrors(form, unit.currencyDivisor) : undefined;
  const fields = { form, errors, unit, onChange: setForm };
  const save = useMutation({
    mutationFn: changeStaff,
    onSuccess: () => {
      void onSaved();
      onClose();
    },
  });

  function submit() {
    setIsTried(true);
    const change = toChange(form, unit.currencyDivisor);
    if (change) {
      save.mutate({ staffId: member.staffId, change });
    }
  }

  return (
    <Dialog opened onClose={onClose} size="lg" title={t("staff.rightsFor", { name: member.name })}>
      <form
        className="stack gap-4"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        <SegmentedControl
          fullWidth
          disabled={isSelf}
          aria-label={t("staff.role")}
          data={ROLES.map((role) => ({ value: role, label: t(`role.${role}`) }))}
          value={form.role}
          onChange={(role) => setForm(newRights(form, role))}
        />
        <p className="soft">
          {t(form.role === "owner" ? "staff.ownerRights" : `staff.${form.role}Hint`)}
        </p>
        {form.role === "owner" ? null : (
          <>
            <RightsFields {...fields} />
            {sells(form.role) ? <LimitFields {...fields} /> : null}
          </>
        )}
        <Trouble error={save.error} />
        <div className="flex justify-end gap-3">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={save.isPending}>
            {t("staff.save")}
          </Button>
        </div>
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly form: RightsForm;
  /** Undefined until the form is submitted. */
  readonly errors: ReturnType<typeof limitErrors> | undefined;
  readonly unit: Unit;
  readonly onChange: (form: RightsForm) => void;
}

/** Fields for the actions that the person may perform without an approval. */
function RightsFields({ form, errors, onChange }: FieldsProps) {
  const { t } = useTranslation();
  return (
    <fieldset className="stack gap-2">
      <legend className={classes.legend}>{t("staff.alone")}</legend>
      {switchRightsOf(form.role).map((right) => (
        <Switch
          key={right}
          classNames={{ body: "items-center touch" }}
          label={t(`approval.need.${right}`)}
          checked={form.rights[right]}
          onChange={(event) => {
            const { checked } = event.currentTarget;
            onChange({ ...form, rights: { ...form.rights, [right]: checked } });
          }}
        />
      ))}
      {sells(form.role) ? (
        <TextInput
          label={t("staff.discountPct")}
          inputMode="numeric"
          maxLength={3}
          value={form.discountPct}
          error={errors?.discountPct ? "0 – 100" : undefined}
          onChange={(event) => onChange({ ...form, discountPct: event.currentTarget.value })}
        />
      ) : null}
    </fieldset>
  );
}

/** Fields for the limits above which a sale needs an approval. */
function LimitFields({ form, errors, unit, onChange }: FieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const digits = fractionDigits(unit.currencyDivisor);
  return (
    <fieldset className="stack gap-2">
      <legend className={classes.legend}>{t("staff.limits")}</legend>
      <p className="soft">{t("staff.limitsHint")}</p>
      <div className={classes.limits}>
        {LIMIT_NAMES.map((name) => (
          <TextInput
            key={name}
            label={`${limitWords(name, t)} (${unit.currency})`}
            inputMode="decimal"
            value={form.limits[name]}
            error={errors?.limits[name] ? t("setup.rateInvalid") : undefined}
            onChange={(event) => {
              const typed = amountText(event.currentTarget.value, digits);
              const limits = { ...form.limits, [name]: format.typedAmount(typed) };
              onChange({ ...form, limits });
            }}
          />
        ))}
      </div>
    </fieldset>
  );
}
