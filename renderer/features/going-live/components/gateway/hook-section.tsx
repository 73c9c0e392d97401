import { Button, PasswordInput, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UpstreamState } from "../../../../../server/contract/pos/upstream.ts";
import { ErrorNotice, Notice } from "../../../../components/notice.tsx";
import { ApiError } from "../../../../lib/api-client.ts";
import { errorWords } from "../../../../lib/error-words.ts";
import { invalidateAnswers } from "../../../../lib/operation-query.ts";
import { useFormat } from "../../../../lib/use-format.ts";
import { type Reach, reachOf } from "../../address-reach.ts";
import {
  GATEWAY_ANSWERS,
  networkQuery,
  openHook,
  setHookSecret,
} from "../../api/gateway-queries.ts";
import classes from "./gateway.module.css";

/** Where the provider may say at once that a purchase is finished; without it, it is asked. */
export function HookSection({ gateway }: { readonly gateway: UpstreamState }) {
  const { t } = useTranslation();
  const network = useQuery(networkQuery());
  const known = gateway.hookBaseUrl ?? proposedAddress(network.data?.addresses);
  return (
    <section className={classes.section} aria-labelledby="gateway-hook">
      <h2 id="gateway-hook" className={classes.legend}>
        {t("office.live.hook.title")}
      </h2>
      <p className={classes.soft}>{t("office.live.hook.what")}</p>
      <p>
        {t(`office.live.hook.state.${gateway.hook}`)}
        {gateway.hook === "NONE" || gateway.hookBaseUrl === undefined ? null : (
          <>
            {" "}
            {t("office.live.hook.calls")} <HookAddress address={`${gateway.hookBaseUrl}${PATH}…`} />
          </>
        )}
      </p>
      <p className={classes.soft}>{t("office.live.hook.without")}</p>
      <AddressForm key={known} gateway={gateway} proposed={known} />
      {gateway.hook === "NONE" ? null : <SecretForm />}
    </section>
  );
}

/** Where the messages of a provider arrive, before the part that nobody else knows. */
const PATH = "/hooks/upstream/";

/** The page's own address, where others reach it; else one of the network's. */
function proposedAddress(ofNetwork: readonly string[] = []): string {
  const { origin } = window.location;
  return reachOf(origin) === "MACHINE" ? (ofNetwork[0] ?? origin) : origin;
}

function HookAddress({ address }: { readonly address: string }) {
  return (
    <code className={classes.code} dir="ltr">
      {address}
    </code>
  );
}

interface AddressFormProps {
  readonly gateway: UpstreamState;
  readonly proposed: string;
}

/** Where the provider calls this gateway, who can call that, and the address that is made of it. */
function AddressForm({ gateway, proposed }: AddressFormProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState(proposed);
  const open = useMutation({
    mutationFn: openHook,
    onSuccess: () => invalidateAnswers(queryClient, GATEWAY_ANSWERS),
  });
  const reach = reachOf(typed);
  const isWrong = open.error instanceof ApiError && open.error.fields.baseUrl !== undefined;
  return (
    <>
      <form
        className={classes.line}
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (reach !== undefined && !open.isPending) {
            open.mutate(typed.trim());
          }
        }}
      >
        <TextInput
          label={t("office.live.hook.reached")}
          description={t("office.live.hook.reachedHint")}
          type="url"
          dir="ltr"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          error={
            isWrong || (reach === undefined && typed.trim() !== "")
              ? t("office.live.hook.reachedWrong")
              : undefined
          }
          onChange={({ currentTarget }) => {
            open.reset();
            setTyped(currentTarget.value);
          }}
        />
        <Button
          type="submit"
          variant="default"
          disabled={reach === undefined}
          loading={open.isPending}
        >
          {t(gateway.hook === "NONE" ? "office.live.hook.make" : "office.live.hook.makeAnew")}
        </Button>
      </form>
      {reach === undefined ? null : <ReachNotice reach={reach} />}
      {open.data ? (
        <Notice tone="info">
          {t("office.live.hook.address")}
          <HookAddress address={open.data.url ?? open.data.path} />
        </Notice>
      ) : null}
      {open.error && !isWrong ? <ErrorNotice words={errorWords(open.error, t, format)} /> : null}
    </>
  );
}

/** Said before anything is made, so that nobody hands on an address that cannot be called. */
function ReachNotice({ reach }: { readonly reach: Reach }) {
  const { t } = useTranslation();
  return (
    <Notice tone={reach === "MACHINE" ? "wait" : "info"}>
      {t(`office.live.hook.reach.${reach}`)}
    </Notice>
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
