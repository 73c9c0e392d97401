import { Button, SegmentedControl, Select, Switch, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconCircleCheck, IconCircleMinus, IconHistory, IconUserPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ROLES, sells, switchRightsOf } from "../../../../server/contract/pos/rights.ts";
import {
  type StaffInput,
  type StaffMember,
  staffOperations,
} from "../../../../server/contract/pos/staff.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { Loading } from "../../../components/loading.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { amountText } from "../../../lib/amount-text.ts";
import { call } from "../../../lib/api-client.ts";
import { initialsOf } from "../../../lib/initials.ts";
import { fractionDigits, type MoneyUnit } from "../../../lib/money.ts";
import { pinFault } from "../../../lib/pin-fault.ts";
import { sessionQuery, statusQuery } from "../../../lib/pos-queries.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeStaff, setIdleLock, staffQuery } from "../api/staff-queries.ts";
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

const CHOICES = [0, 1, 2, 3, 5, 10, 15, 30, 60];

const MAX_NAME = 40;

interface StaffScreenProps {
  readonly ownStaffId: string;
  readonly onTrail: () => void;
}

export function StaffScreen({ ownStaffId, onTrail }: StaffScreenProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const staff = useQuery(staffQuery());
  const [isAdding, setIsAdding] = useState(false);
  const [pinFor, setPinFor] = useState<StaffMember>();
  const [rightsOf, setRightsOf] = useState<StaffMember>();
  const { data: unit } = useQuery(statusQuery());
  const refresh = () => queryClient.invalidateQueries({ queryKey: staffQuery().queryKey });
  const activate = useMutation({ mutationFn: changeStaff, onSuccess: refresh });

  return (
    <OfficeScreen
      title={t("office.frame.section.staff")}
      actions={
        <>
          <Button
            variant="default"
            leftSection={<IconHistory size="1.25rem" aria-hidden="true" />}
            onClick={onTrail}
          >
            {t("audit.title")}
          </Button>
          <Button
            leftSection={<IconUserPlus size="1.25rem" aria-hidden="true" />}
            onClick={() => setIsAdding(true)}
          >
            {t("staff.add")}
          </Button>
        </>
      }
      isSheet
    >
      <Trouble error={activate.error} />
      <QueryTrouble query={staff} />
      {staff.isPending && !troubleOf(staff) ? <Loading heights={["4rem", "4rem"]} /> : null}
      {staff.data ? (
        <ul className="stack gap-2" aria-label={t("staff.list")}>
          {staff.data.list.map((member) => (
            <StaffRow
              key={member.staffId}
              member={member}
              isSelf={member.staffId === ownStaffId}
              busy={activate.isPending}
              onRights={() => setRightsOf(member)}
              onResetPin={() => setPinFor(member)}
              onActive={(active) =>
                activate.mutate({ staffId: member.staffId, change: { active } })
              }
            />
          ))}
        </ul>
      ) : null}
      <IdleLockSetting />
      <AddStaffDialog opened={isAdding} onClose={() => setIsAdding(false)} onAdded={refresh} />
      {rightsOf && unit ? (
        <RightsDialog
          member={rightsOf}
          isSelf={rightsOf.staffId === ownStaffId}
          unit={unit}
          onClose={() => setRightsOf(undefined)}
          onSaved={refresh}
        />
      ) : null}
      <ResetPinDialog member={pinFor} onClose={() => setPinFor(undefined)} />
    </OfficeScreen>
  );
}

interface AddStaffDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onAdded: () => unknown;
}

function AddStaffDialog({ opened, onClose, onAdded }: AddStaffDialogProps) {
  const { t } = useTranslation();
  const form = useForm<StaffInput>({
    initialValues: { name: "", role: "clerk", pin: "" },
    validate: {
      name: (name) => (name.trim() === "" ? t("setup.required") : null),
      pin: (pin, { role }) => pinFault(pin, role, t) ?? null,
    },
  });
  const add = useMutation({
    mutationFn: (input: StaffInput) => call(staffOperations.add, { body: input }),
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
        className="stack gap-4"
        noValidate
        onSubmit={form.onSubmit((values) => add.mutate({ ...values, name: values.name.trim() }))}
      >
        <TextInput
          data-autofocus
          label={t("staff.name")}
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
        <p className="soft">{t(`staff.${form.values.role}Hint`)}</p>
        <PinField
          label={t("staff.pin")}
          description={t(form.values.role === "owner" ? "staff.ownerPinHint" : "staff.pinHint")}
          {...form.getInputProps("pin")}
        />
        <p className="soft">{t("staff.firstPinHint")}</p>
        <Trouble error={add.error} />
        <FormButtons onCancel={close} loading={add.isPending}>
          {t("staff.save")}
        </FormButtons>
      </form>
    </Dialog>
  );
}

/** Field for the minutes without input after which a till locks. */
function IdleLockSetting() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: status } = useQuery(statusQuery());
  const minutes = status?.idleLockMinutes;
  const change = useMutation({
    mutationFn: setIdleLock,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: statusQuery().queryKey }),
  });
  if (minutes === undefined) {
    return null;
  }
  const choices = [...new Set([...CHOICES, minutes])].sort((a, b) => a - b);
  return (
    <div className={classes.setting}>
      <Select
        label={t("staff.idleLock")}
        allowDeselect={false}
        disabled={change.isPending}
        data={choices.map((choice) => ({
          value: String(choice),
          label:
            choice === 0 ? t("staff.idleLockNever") : t("staff.idleLockAfter", { count: choice }),
        }))}
        value={String(minutes)}
        onChange={(value) => change.mutate(Number(value))}
      />
      <Trouble error={change.error} />
    </div>
  );
}

interface ResetPinDialogProps {
  readonly member: StaffMember | undefined;
  readonly onClose: () => void;
}

/** Dialog for a new PIN, which also removes locks and ends the person's sessions. */
function ResetPinDialog({ member, onClose }: ResetPinDialogProps) {
  const { t } = useTranslation();
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
        className="stack gap-4"
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
        <Trouble error={change.error} />
        <FormButtons onCancel={close} loading={change.isPending}>
          {t("staff.save")}
        </FormButtons>
      </form>
    </Dialog>
  );
}

interface StaffRowProps {
  readonly member: StaffMember;
  readonly isSelf: boolean;
  readonly busy: boolean;
  readonly onRights: () => void;
  readonly onResetPin: () => void;
  readonly onActive: (active: boolean) => void;
}

/** Row of a person. People cannot deactivate themselves. */
function StaffRow(props: StaffRowProps) {
  const { member, isSelf, busy, onRights, onResetPin, onActive } = props;
  const { t } = useTranslation();
  const format = useFormat();
  const { name, role, active, createdAt, pinDue } = member;
  const StateIcon = active ? IconCircleCheck : IconCircleMinus;
  return (
    <li className={classes.row} data-active={active}>
      <span className={classes.initials} aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="stack min-w-0">
        <span className={classes.name}>
          {name}
          {isSelf ? ` (${t("staff.you")})` : null}
        </span>
        <span className="soft">
          {t(`role.${role}`)} · {t("staff.since", { day: format.day(createdAt) })}
          {pinDue && active ? ` · ${t("staff.pinDue")}` : null}
        </span>
      </span>
      <span className={classes.state}>
        <StateIcon size="1.25rem" aria-hidden="true" />
        {t(active ? "staff.active" : "staff.inactive")}
      </span>
      <span className={classes.actions}>
        <Button variant="default" aria-label={t("staff.rightsFor", { name })} onClick={onRights}>
          {t("staff.rights")}
        </Button>
        <Button
          variant="default"
          aria-label={t("staff.resetPinFor", { name })}
          onClick={onResetPin}
        >
          {t("staff.resetPin")}
        </Button>
        <Button
          variant="default"
          disabled={busy || isSelf}
          aria-label={t(active ? "staff.deactivateFor" : "staff.activateFor", { name })}
          onClick={() => onActive(!active)}
        >
          {t(active ? "staff.deactivate" : "staff.activate")}
        </Button>
      </span>
    </li>
  );
}

interface RightsDialogProps {
  readonly member: StaffMember;
  readonly isSelf: boolean;
  readonly unit: MoneyUnit;
  readonly onClose: () => void;
  readonly onSaved: () => unknown;
}

function RightsDialog({ member, isSelf, unit, onClose, onSaved }: RightsDialogProps) {
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
      <Form className="stack gap-4" onSubmit={() => submit()}>
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
        <FormButtons onCancel={onClose} loading={save.isPending}>
          {t("staff.save")}
        </FormButtons>
      </Form>
    </Dialog>
  );
}

interface FieldsProps {
  readonly form: RightsForm;
  /** Undefined until the form is submitted. */
  readonly errors: ReturnType<typeof limitErrors> | undefined;
  readonly unit: MoneyUnit;
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
