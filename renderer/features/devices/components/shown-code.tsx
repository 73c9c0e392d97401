import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { PosDevice } from "../../../../server/contract/pos/devices.ts";
import { Notice } from "../../../components/notice.tsx";
import { QrCode } from "../../../components/qr-code.tsx";
import { formatCountdown } from "../../../lib/time-format.ts";
import { useNow } from "../../../lib/use-now.ts";
import classes from "./devices-screen.module.css";

interface ShownCodeProps {
  readonly made: {
    readonly code: string;
    readonly name: string;
    /** The devices that there were before it. */
    readonly before: ReadonlySet<string>;
    /** By this device's clock. */
    readonly endsAt: number;
  };
  readonly address: string;
  readonly list: readonly PosDevice[];
  /** Once it was used, or has ended. */
  readonly onOver: () => void;
}

/** A code as a picture to be pointed at and as letters to be typed, for as long as it is good. */
export function ShownCode({ made, address, list, onOver }: ShownCodeProps) {
  const { t } = useTranslation();
  const { code, name, before, endsAt } = made;
  const isUsed = list.some((one) => one.name === name && !before.has(one.deviceId));
  const left = endsAt - useNow(1000, !isUsed);
  const isOver = isUsed || left <= 0;
  useEffect(() => {
    if (isOver) onOver();
  }, [isOver, onOver]);
  if (isUsed) {
    return (
      <Notice tone="info" loud>
        {t("office.devices.code.done", { name })}
      </Notice>
    );
  }
  if (isOver) {
    return (
      <Notice tone="wait" loud>
        {t("office.devices.code.over")}
      </Notice>
    );
  }
  const page = `${address}/enrol`;
  return (
    <div className={classes.code}>
      {/* What stands behind the # is sent nowhere: the page on the device reads it. */}
      <QrCode
        content={`${page}#${code}`}
        label={t("office.devices.code.qr")}
        className={classes.qr}
      />
      <div className={classes.words}>
        <p>{t("office.devices.code.scan")}</p>
        <code className={classes.secret} dir="ltr">
          {address}
        </code>
        <p className={classes.letters} role="status" aria-label={t("office.devices.code.label")}>
          <bdi dir="ltr" data-secret>
            {code}
          </bdi>
        </p>
        <p className={classes.hint} role="timer">
          {t("office.devices.code.left", { time: `\u2068${formatCountdown(left)}\u2069` })}
        </p>
      </div>
    </div>
  );
}
