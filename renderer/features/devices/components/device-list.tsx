import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { deviceOperations } from "../../../../server/contract/pos/device-operations.ts";
import type { PosDevice } from "../../../../server/contract/pos/devices.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { ErrorNotice } from "../../../components/notice.tsx";
import { call } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./devices-screen.module.css";

/** Which devices were let in, with their last use; those that are no longer, after them. */
export function DeviceList({ list }: { readonly list: readonly PosDevice[] }) {
  const { t } = useTranslation();
  const [toRevoke, setToRevoke] = useState<PosDevice>();
  const isRevoked = ({ revokedAt }: PosDevice) => revokedAt !== undefined;
  const ordered = list.toSorted((a, b) => Number(isRevoked(a)) - Number(isRevoked(b)));
  return (
    <section className={classes.view}>
      <h2 className={classes.legend}>{t("office.devices.list")}</h2>
      {list.length === 0 ? (
        <div>
          <p className={classes.name}>{t("office.devices.none.title")}</p>
          <p className={classes.hint}>{t("office.devices.none.body")}</p>
        </div>
      ) : (
        <ul className={classes.rows} aria-label={t("office.devices.list")}>
          {ordered.map((device) => (
            <DeviceRow key={device.deviceId} of={device} onRevoke={() => setToRevoke(device)} />
          ))}
        </ul>
      )}
      {toRevoke ? <RevokeDialog of={toRevoke} onClose={() => setToRevoke(undefined)} /> : null}
    </section>
  );
}

function DeviceRow({ of, onRevoke }: { readonly of: PosDevice; readonly onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, enrolledAt, seenAt, address, revokedAt, isHere } = of;
  // Texts that run the other way stay whole inside a sentence.
  const seen = { time: format.moment(seenAt), address: `\u2068${address}\u2069` };
  return (
    <li className={classes.row} data-over={revokedAt !== undefined}>
      <span className={classes.who}>
        <span className={classes.name}>
          <bdi>{name}</bdi>
          {isHere ? ` · ${t("office.devices.here")}` : null}
        </span>
        <span className={classes.small}>{t("office.devices.seen", seen)}</span>
        <span className={classes.small}>
          {revokedAt === undefined
            ? t("office.devices.since", { time: format.moment(enrolledAt) })
            : t("office.devices.revokedAt", { time: format.moment(revokedAt) })}
        </span>
      </span>
      {revokedAt === undefined ? (
        <Button
          variant="default"
          aria-label={t("office.devices.revokeFor", { name })}
          onClick={onRevoke}
        >
          {t("office.devices.revoke")}
        </Button>
      ) : null}
    </li>
  );
}

function RevokeDialog({ of, onClose }: { readonly of: PosDevice; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { name, deviceId, isHere } = of;
  const revoke = useMutation({
    mutationFn: () => call(deviceOperations.revoke, { params: { deviceId } }),
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [deviceOperations.list]);
      onClose();
    },
  });
  return (
    <Dialog opened onClose={onClose} title={t("office.devices.revokeFor", { name })}>
      <div className={classes.view}>
        <p>{t("office.devices.ask", { name })}</p>
        {isHere ? <p className={classes.name}>{t("office.devices.askHere")}</p> : null}
        {revoke.error ? <ErrorNotice words={errorWords(revoke.error, t, format)} /> : null}
        <div className={classes.end}>
          <Button variant="default" onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button color="red" loading={revoke.isPending} onClick={() => revoke.mutate()}>
            {t("office.devices.revoke")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
