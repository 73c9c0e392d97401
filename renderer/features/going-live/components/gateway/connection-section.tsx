import { Button } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import { Dialog } from "../../../../components/dialog/dialog.tsx";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { disconnectGateway, GATEWAY_ANSWERS, judgeConnected } from "../../api/gateway-queries.ts";
import { ConnectionForm } from "./connection-form.tsx";
import classes from "./gateway.module.css";
import { VerdictList } from "./verdict-list.tsx";

interface GatewayProps {
  readonly gateway: UpstreamState;
}

/** Which gateway live sales go through; connected, tested, changed and removed here. */
export function ConnectionSection({ gateway }: GatewayProps) {
  const { t } = useTranslation();
  const [isChanging, setChanging] = useState(false);
  return (
    <section className={classes.section} aria-labelledby="gateway-connection">
      <h2 id="gateway-connection" className={classes.legend}>
        {t("office.live.gateway.title")}
      </h2>
      {gateway.connected && !isChanging ? (
        <Connected gateway={gateway} onChange={() => setChanging(true)} />
      ) : (
        <ConnectionForm
          gateway={gateway}
          onDone={() => setChanging(false)}
          {...(gateway.connected && { onCancel: () => setChanging(false) })}
        />
      )}
    </section>
  );
}

function Connected({ gateway, onChange }: GatewayProps & { readonly onChange: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isRemoving, setRemoving] = useState(false);
  const queryClient = useQueryClient();
  const judge = useMutation({
    mutationFn: judgeConnected,
    onSettled: () => invalidateAnswers(queryClient, GATEWAY_ANSWERS),
  });
  return (
    <>
      <dl className={classes.facts}>
        <dt>{t("office.live.gateway.address")}</dt>
        <dd>
          <bdi dir="ltr">{gateway.baseUrl}</bdi>
        </dd>
        <dt>{t("office.live.gateway.key")}</dt>
        <dd>{t("office.live.gateway.keyKept")}</dd>
        {gateway.connectedAt ? (
          <>
            <dt>{t("office.live.gateway.since")}</dt>
            <dd>{format.moment(gateway.connectedAt)}</dd>
          </>
        ) : null}
      </dl>
      {gateway.fault ? (
        <Notice tone="wait">
          {t(`office.live.gateway.fault.${gateway.fault.kind}`)}{" "}
          <small lang="en" dir="ltr">
            {gateway.fault.message}
          </small>
        </Notice>
      ) : null}
      <div className={classes.buttons}>
        <Button loading={judge.isPending} onClick={() => judge.mutate()}>
          {t("office.live.gateway.test")}
        </Button>
        <Button variant="default" onClick={onChange}>
          {t("office.live.gateway.change")}
        </Button>
        <Button variant="default" onClick={() => setRemoving(true)}>
          {t("office.live.gateway.remove")}
        </Button>
      </div>
      {judge.error ? <ErrorNotice words={errorWords(judge.error, t, format)} /> : null}
      {judge.data ? <VerdictList verdict={judge.data} /> : null}
      <RemoveDialog opened={isRemoving} onClose={() => setRemoving(false)} />
    </>
  );
}

function RemoveDialog({
  opened,
  onClose,
}: {
  readonly opened: boolean;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const remove = useMutation({
    mutationFn: disconnectGateway,
    onSuccess: async () => {
      onClose();
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  return (
    <Dialog opened={opened} onClose={onClose} title={t("office.live.gateway.removeTitle")}>
      <div className={classes.section}>
        <p>{t("office.live.gateway.removeWhat")}</p>
        {remove.error ? <ErrorNotice words={errorWords(remove.error, t, format)} /> : null}
        <div className={classes.buttons}>
          <Button variant="default" data-autofocus onClick={onClose}>
            {t("common.cancel")}
          </Button>
          <Button color="red" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("office.live.gateway.remove")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}
