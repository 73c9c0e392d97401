import { Button } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { keyOperations } from "../../../../server/contract/pos/key-operations.ts";
import type { PosKey } from "../../../../server/contract/pos/keys.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { keysQuery } from "../api/settings-queries.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { KeyForm } from "./key-form.tsx";
import classes from "./settings-screen.module.css";

/** API keys: made and shown once, listed with their last use, revoked. */
export function KeysView() {
  const { t } = useTranslation();
  const keys = useQuery(keysQuery());
  const [toRevoke, setToRevoke] = useState<PosKey>();
  return (
    <>
      <p className={classes.hint}>{t("office.settings.keys.intro")}</p>
      <KeyForm />
      <h3 className={classes.name}>{t("office.settings.keys.list")}</h3>
      <QueryTrouble query={keys} />
      {keys.data?.list.length === 0 ? <p>{t("office.settings.keys.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.keys.list")}>
        {keys.data?.list.map((key) => (
          <KeyRow key={key.keyId} of={key} onRevoke={() => setToRevoke(key)} />
        ))}
      </ul>
      {toRevoke ? <RevokeDialog of={toRevoke} onClose={() => setToRevoke(undefined)} /> : null}
    </>
  );
}

function KeyRow({ of, onRevoke }: { readonly of: PosKey; readonly onRevoke: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { name, environment, hint, allowedAddresses, lastUsedAt, revokedAt } = of;
  const used =
    lastUsedAt === undefined
      ? t("office.settings.keys.unused")
      : t("office.settings.keys.used", { time: format.moment(lastUsedAt) });
  const state =
    revokedAt === undefined
      ? used
      : t("office.settings.keys.revoked", { time: format.moment(revokedAt) });
  return (
    <li className={classes.row} data-over={revokedAt !== undefined}>
      <span className={classes.who}>
        <bdi className={classes.name}>{name}</bdi>
        <span className={classes.small}>
          {t(`office.settings.env.${environment}`)} · <bdi dir="ltr">{hint}…</bdi> · {state}
        </span>
        {allowedAddresses ? (
          <bdi className={classes.small} dir="ltr">
            {allowedAddresses.join(", ")}
          </bdi>
        ) : null}
      </span>
      {revokedAt === undefined ? (
        <Button
          variant="default"
          aria-label={t("office.settings.keys.revokeFor", { name })}
          onClick={onRevoke}
        >
          {t("office.settings.keys.revoke")}
        </Button>
      ) : null}
    </li>
  );
}

function RevokeDialog({ of, onClose }: { readonly of: PosKey; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const revoke = useMutation({
    mutationFn: () => call(keyOperations.revoke, { params: { keyId: of.keyId } }),
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [keyOperations.list]);
      onClose();
    },
  });
  return (
    <ConfirmDialog
      title={t("office.settings.keys.revokeFor", { name: of.name })}
      body={t("office.settings.keys.revokeAsk")}
      action={t("office.settings.keys.revoke")}
      busy={revoke.isPending}
      error={revoke.error}
      onConfirm={() => revoke.mutate()}
      onClose={onClose}
    />
  );
}
