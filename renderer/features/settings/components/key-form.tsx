import { Button, Textarea, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { keyOperations } from "../../../../server/contract/pos/key-operations.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { readAddresses } from "../settings-rules.ts";
import { EnvironmentChoice } from "./environment-choice.tsx";
import classes from "./settings-screen.module.css";
import { ShownOnce } from "./shown-once.tsx";
import { Trouble } from "./trouble.tsx";

const LONGEST_NAME = 60;

/** A new key: what for, where, and from which addresses. */
export function KeyForm() {
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
      <div className={classes.end}>
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
