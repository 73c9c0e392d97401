import { useForm } from "@mantine/form";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  type PosSession,
  type StaffName,
  sessionOperations,
} from "../../../../server/contract/pos/staff.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { PinField } from "../../../components/pin-field.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { pinFault } from "../../../lib/pin-fault.ts";
import { signIn } from "../api/session-queries.ts";

interface FormProps {
  readonly why: string;
  readonly person: StaffName;
  /**
   * PIN set by the owner, which the person must replace. Undefined if this screen does not know it.
   */
  readonly given?: string;
  readonly error: Error | null;
  readonly busy: boolean;
  readonly onChoose: (pin: string) => void;
  readonly onClose: () => void;
}

/** The PIN is typed twice to detect errors, because nobody else knows it. */
function ChoosePinForm({ why, person, given, error, busy, onChoose, onClose }: FormProps) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { pin: "", again: "" },
    validate: {
      pin: (pin) => (pin === given ? t("choosePin.same") : (pinFault(pin, person.role, t) ?? null)),
      again: (again, { pin }) => (again === pin ? null : t("choosePin.differ")),
    },
  });
  const send = form.onSubmit(({ pin }) => {
    if (!busy) {
      onChoose(pin);
    }
  });
  return (
    <Form
      className="stack gap-4"
      onSubmit={() => {
        // Enter after the first PIN asks for the second one.
        if (form.values.again === "" && !form.validateField("pin").hasError) {
          form.getInputNode("again")?.focus();
        } else {
          send();
        }
      }}
    >
      <p>{why}</p>
      <PinField
        data-autofocus
        label={t("choosePin.new")}
        description={t(person.role === "owner" ? "staff.ownerPinHint" : "staff.pinHint")}
        {...form.getInputProps("pin")}
      />
      <PinField label={t("choosePin.again")} {...form.getInputProps("again")} />
      <Trouble error={error} />
      <FormButtons onCancel={onClose} loading={busy}>
        {t("choosePin.save")}
      </FormButtons>
    </Form>
  );
}

interface FirstPinDialogProps {
  readonly person: StaffName;
  readonly given: string;
  readonly onSignedIn: (session: PosSession) => void;
  readonly onClose: () => void;
}

/** At the first sign-in, the person replaces the owner's PIN and is signed in. */
export function FirstPinDialog({ person, given, onSignedIn, onClose }: FirstPinDialogProps) {
  const { t } = useTranslation();
  const { staffId } = person;
  const choose = useMutation({
    mutationFn: (newPin: string) =>
      signIn({ staffId, pin: given, newPin }, new AbortController().signal),
    onSuccess: onSignedIn,
  });
  return (
    <Dialog opened onClose={onClose} title={t("choosePin.title")}>
      <ChoosePinForm
        why={t("choosePin.why")}
        person={person}
        given={given}
        error={choose.error}
        busy={choose.isPending}
        onChoose={(pin) => choose.mutate(pin)}
        onClose={onClose}
      />
    </Dialog>
  );
}

interface ChangePinDialogProps {
  readonly person: StaffName;
  readonly onClose: () => void;
}

/** Changes the PIN of the signed-in person. The gateway requires the current PIN. */
export function ChangePinDialog({ person, onClose }: ChangePinDialogProps) {
  const { t } = useTranslation();
  const change = useMutation({
    mutationFn: (pin: string) => call(sessionOperations.changePin, { body: { pin } }),
    onSuccess: () => {
      announce(t("choosePin.saved"));
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("choosePin.change")}>
      <ChoosePinForm
        why={t("choosePin.changeWhy")}
        person={person}
        error={change.error}
        busy={change.isPending}
        onChoose={(pin) => change.mutate(pin)}
        onClose={onClose}
      />
    </Dialog>
  );
}
