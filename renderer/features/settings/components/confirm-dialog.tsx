import { Button } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import classes from "../../../components/form-page.module.css";
import { Trouble } from "../../../components/notice.tsx";

interface ConfirmDialogProps {
  readonly title: string;
  readonly body: string;
  /** Fields between the text and the buttons. */
  readonly children?: ReactNode;
  readonly action: string;
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onConfirm: () => void;
  readonly onClose: () => void;
}

export function ConfirmDialog(props: ConfirmDialogProps) {
  const { title, body, children, action, busy, error, onConfirm, onClose } = props;
  const { t } = useTranslation();
  return (
    <Dialog opened onClose={onClose} title={title}>
      <div className={classes.form}>
        <p>{body}</p>
        {children}
        <Trouble error={error} />
        <div className="flex justify-end gap-3">
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button variant="danger" loading={busy} onClick={onConfirm}>
            {action}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
