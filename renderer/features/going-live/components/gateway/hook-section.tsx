import { Button, PasswordInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { GATEWAY_ANSWERS, openHook, setHookSecret } from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

/** Where the provider may say at once that a purchase is finished; without it, it is asked. */
export function HookSection({ gateway }: { readonly gateway: UpstreamState }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const open = useMutation({
    mutationFn: openHook,
    onSuccess: () => invalidateAnswers(queryClient, GATEWAY_ANSWERS),
  });
  const address = open.data ? `${window.location.origin}${open.data.path}` : undefined;
  return (
    <section className={classes.section} aria-labelledby="gateway-hook">
      <h2 id="gateway-hook" className={classes.legend}>
        {t("office.live.hook.title")}
      </h2>
      <p className={classes.soft}>{t("office.live.hook.what")}</p>
      <p>{t(`office.live.hook.state.${gateway.hook}`)}</p>
      {address === undefined ? null : (
        <Notice tone="info">
          {t("office.live.hook.address")}
          <code className={classes.code} dir="ltr">
            {address}
          </code>
        </Notice>
      )}
      {open.error ? <ErrorNotice words={errorWords(open.error, t, format)} /> : null}
      <div className={classes.buttons}>
        <Button variant="default" loading={open.isPending} onClick={() => open.mutate()}>
          {t(gateway.hook === "NONE" ? "office.live.hook.make" : "office.live.hook.makeAnew")}
        </Button>
      </div>
      {gateway.hook === "NONE" ? null : <SecretForm />}
    </section>
  );
}

function SecretForm() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [secret, setSecret] = useState("");
  const save = useMutation({
    mutationFn: setHookSecret,
    onSuccess: async () => {
      setSecret("");
      await invalidateAnswers(queryClient, GATEWAY_ANSWERS);
    },
  });
  const isWrong = save.error instanceof ApiError && save.error.fields.secret !== undefined;
  return (
    <form
      className={classes.line}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (secret.trim() !== "" && !save.isPending) {
          save.mutate(secret.trim());
        }
      }}
    >
      <PasswordInput
        label={t("office.live.hook.secret")}
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        placeholder="whsec_…"
        visibilityToggleButtonProps={{ "aria-label": t("office.live.gateway.keyShow") }}
        value={secret}
        error={isWrong ? t("office.live.hook.secretWrong") : undefined}
        onChange={({ currentTarget }) => {
          save.reset();
          setSecret(currentTarget.value);
        }}
      />
      <Button type="submit" disabled={secret.trim() === ""} loading={save.isPending}>
        {t("office.live.hook.save")}
      </Button>
      {save.error && !isWrong ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
    </form>
  );
}
