import { useTranslation } from "react-i18next";
import type { Shift } from "../../../../server/contract/pos/shifts.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { latePart } from "../../../lib/late.tsx";

const LateMovementForm = latePart(async () => (await import("./movement-form.tsx")).MovementForm);

export const fetchDrawerDialog = LateMovementForm.load;

interface DrawerDialogProps {
  readonly shift: Shift | undefined;
  readonly onClose: () => void;
}

/** Records a reason and then opens the drawer. Available on any screen. */
export function DrawerDialog({ shift, onClose }: DrawerDialogProps) {
  const { t } = useTranslation();
  return (
    <Dialog opened={shift !== undefined} onClose={onClose} title={t("shift.move.NO_SALE")}>
      {shift ? <LateMovementForm shift={shift} kind="NO_SALE" isTitled onDone={onClose} /> : null}
    </Dialog>
  );
}
