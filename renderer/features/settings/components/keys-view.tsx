import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { keyOperations, type PosKey } from "../../../../server/contract/pos/keys.ts";
import classes from "../../../components/form-page.module.css";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { ApiError, call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { keysQuery } from "../api/settings-queries.ts";
import { readAddresses } from "../settings-rules.ts";
import { ConfirmDialog } from "./confirm-dialog.tsx";
import { EnvironmentChoice } from "./environment-choice.tsx";
import { ShownOnce } from "./shown-once.tsx";
import { Trouble } from "./trouble.tsx";

const LONGEST_NAME = 60;

/** A new key is shown only once. */
export function KeysScreen() {
  const { t } = useTranslation();
  const keys = useQuery(keysQuery());
  const [toRevoke, setToRevoke] = useState<PosKey>();
  return (
    <OfficeScreen title={t("office.frame.section.keys")} isSheet>
      <p className="soft">{t("office.settings.keys.intro")}</p>
      <KeyForm />
      <h3 className="strong">{t("office.settings.keys.list")}</h3>
      <QueryTrouble query={keys} />
      {keys.data?.list.length === 0 ? <p>{t("office.settings.keys.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.settings.keys.list")}>
        {keys.data?.list.map((key) => (
          <KeyRow key={key.keyId} of={key} onRevoke={() => setToRevoke(key)} />
        ))}
      </ul>
      {toRevoke ? <RevokeDialog of={toRevoke} onClose={() => setToRevoke(undefined)} /> : null}
    </OfficeScreen>
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
        <bdi className="strong">{name}</bdi>
        <span className="soft size-caption">
          {t(`office.settings.env.${environment}`)} · <bdi dir="ltr">{hint}…</bdi> · {state}
        </span>
        {allowedAddresses ? (
          <bdi className="soft size-caption" dir="ltr">
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

function KeyForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [environment, setEnvironment] = useState<Environment>("test");
  const [name, setName] = useState("");
  const [addresses, setAddresses] = useState("");
  const make = useMutation({
    mutationFn: () => {
      const allowedAddresses = readAddresses(addresses);
      return call(keyOperations.create, { body: { environment, name, allowedAddresses } });
    },
    onSuccess: async () => {
      setName("");
      setAddresses("");
      await invalidateAnswers(queryClient, [keyOperations.list]);
    },
  });
  const fields = make.error instanceof ApiError ? make.error.fields : {};
  const isOfAddress = Object.keys(fields).some((field) => field.startsWith("allowedAddresses"));
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") {
          make.mutate();
        }
      }}
    >
      <EnvironmentChoice value={environment} onChange={setEnvironment} />
      <TextInput
        label={t("office.settings.keys.name")}
        maxLength={LONGEST_NAME}
        dir="auto"
        autoComplete="off"
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Textarea
        label={t("office.settings.keys.addresses")}
        description={t("office.settings.keys.addressesHint")}
        dir="ltr"
        rows={2}
        autoComplete="off"
        spellCheck={false}
        value={addresses}
        error={isOfAddress ? t("office.settings.keys.addressesWrong") : undefined}
        onChange={({ currentTarget }) => setAddresses(currentTarget.value)}
      />
      <Trouble error={isOfAddress ? null : make.error} />
      <div className="flex justify-end gap-3">
        <Button type="submit" loading={make.isPending} disabled={name.trim() === ""}>
          {t("office.settings.keys.make")}
        </Button>
      </div>
      {make.data ? (
        <ShownOnce
          key={make.data.key.keyId}
          secret={make.data.secret}
          words={t("office.settings.keys.once")}
        />
      ) : null}
    </form>
  );
}
