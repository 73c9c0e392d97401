import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { groupDisplayCode } from "../display-code.ts";
import classes from "./display-dialog.module.css";

interface DisplayDialogProps {
  readonly opened: boolean;
  readonly onClose: () => void;
  /** Undefined if the till has no display. */
  readonly code: string | undefined;
  readonly onRenew: () => void;
  readonly onOff: () => void;
}

export function DisplayDialog({ opened, onClose, code, onRenew, onOff }: DisplayDialogProps) {
  const { t } = useTranslation();
  const page = `${location.origin}/display`;
  return (
    <Dialog opened={opened} onClose={onClose} title={t("display.dialog.title")}>
      {code ? (
        <div className="stack gap-4">
          <p>{t("display.dialog.how")}</p>
          <p className="medium break-anywhere">
            <bdi>{page}</bdi>
          </p>
          <p className={classes.code} role="status" aria-label={t("display.entry.code")}>
            <bdi>{groupDisplayCode(code)}</bdi>
          </p>
          <QrCode
            content={`${page}#${code}`}
            label={t("display.dialog.qr")}
            className={classes.qr}
          />
          {isThisMachineOnly() ? <p className="soft">{t("display.dialog.local")}</p> : null}
          <div className="flex wrap gap-3">
            <Button component="a" href={`/display#${code}`} target="_blank" rel="noopener">
              {t("display.dialog.here")}
            </Button>
            <Button variant="default" onClick={onRenew}>
              {t("display.dialog.renew")}
            </Button>
            <Button variant="default" onClick={onOff}>
              {t("display.dialog.off")}
            </Button>
          </div>
        </div>
      ) : (
        <div className="stack gap-4">
          <p>{t("display.dialog.what")}</p>
          <div className="flex wrap gap-3">
            <Button onClick={onRenew} data-autofocus>
              {t("display.dialog.on")}
            </Button>
          </div>
        </div>
      )}
    </Dialog>
  );
}

function isThisMachineOnly(): boolean {
  return ["localhost", "127.0.0.1", "[::1]"].includes(location.hostname);
}
