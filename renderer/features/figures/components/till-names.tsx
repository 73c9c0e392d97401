import { Button, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { figureOperations } from "../../../../server/contract/pos/figures.ts";
import {
  LONGEST_TILL_NAME,
  type Till,
  tillOperations,
} from "../../../../server/contract/pos/tills.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./figures-screen.module.css";

export function TillNames() {
  const { t } = useTranslation();
  const tills = useQuery({ ...operationQuery(tillOperations.list) });
  if (!tills.data || tills.data.list.length === 0) return null;
  return (
    <section className="stack gap-3" aria-label={t("office.figures.tills.title")}>
      <h2 className="size-label">{t("office.figures.tills.title")}</h2>
      <p className="soft">{t("office.figures.tills.hint")}</p>
      {tills.data.list.map((till) => (
        <TillName key={till.tillId} till={till} />
      ))}
    </section>
  );
}

function TillName({ till }: { readonly till: Till }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const format = useFormat();
  const [name, setName] = useState(till.name);
  const save = useMutation({
    mutationFn: () =>
      call(tillOperations.rename, { params: { tillId: till.tillId }, body: { name } }),
    onSuccess: async () => {
      announce(t("office.figures.tills.saved"));
      await invalidateAnswers(queryClient, [
        tillOperations.list,
        figureOperations.listParts,
        figureOperations.listLines,
      ]);
    },
  });
  const isChanged = name.trim() !== "" && name.trim() !== till.name;
  const label = t("office.figures.tills.name", { till: till.name });
  return (
    <form
      className={classes.range}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (isChanged) save.mutate();
      }}
    >
      <TextInput
        label={till.isHere ? `${label} (${t("office.figures.tills.here")})` : label}
        maxLength={LONGEST_TILL_NAME}
        dir="auto"
        autoComplete="off"
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
      />
      <Button type="submit" variant="default" disabled={!isChanged} loading={save.isPending}>
        {t("office.figures.tills.save")}
      </Button>
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
    </form>
  );
}
