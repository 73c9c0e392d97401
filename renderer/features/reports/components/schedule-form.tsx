import { Button, Select, Switch, TextInput } from "@mantine/core";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { shopReportOperations } from "../../../../server/contract/pos/shop-report-operations.ts";
import type { ScheduleInput } from "../../../../server/contract/pos/shop-reports.ts";
import { timesOf } from "../../../../server/contract/pos/shop-reports.ts";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { inputOf, readRecipients, withPossibleTime } from "../schedule-draft.ts";
import { ContentFields } from "./content-fields.tsx";
import { LanguageField } from "./language-field.tsx";
import classes from "./reports-screen.module.css";
import { faultsOf, Trouble } from "./trouble.tsx";

/** A new one: the end of the day, to nobody yet. */
export const EMPTY_SCHEDULE: ScheduleInput = {
  name: "",
  kind: "SOLD",
  format: "SPREADSHEET",
  when: "AFTER_LAST_Z",
  at: "22:30",
  recipients: [],
  folder: "",
  language: "en",
  enabled: true,
};

interface ScheduleFormProps {
  readonly scheduleId: string;
  readonly saved: ScheduleInput;
  readonly onDone: () => void;
}

/** What is made when, and where it goes. */
export function ScheduleForm({ scheduleId, saved, onDone }: ScheduleFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [input, setInput] = useState(() => inputOf(saved));
  const [recipients, setRecipients] = useState(saved.recipients.join(", "));
  const save = useMutation({
    mutationFn: () =>
      call(shopReportOperations.saveSchedule, {
        params: { scheduleId },
        body: { ...input, recipients: readRecipients(recipients) },
      }),
    onSuccess: async () => {
      await invalidateAnswers(queryClient, [shopReportOperations.listSchedules]);
      onDone();
    },
  });
  const faults = faultsOf(save.error);
  const recipientFault = Object.entries(faults).find(([name]) => name.startsWith("recipients"));
  const text = (name: "name" | "at" | "folder") => ({
    label: t(`office.reports.plan.${name}`),
    value: input[name],
    error: faults[name],
    onChange: ({ currentTarget }: { readonly currentTarget: HTMLInputElement }) =>
      setInput({ ...input, [name]: currentTarget.value }),
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        save.mutate();
      }}
    >
      <div className={classes.fields}>
        <TextInput {...text("name")} />
        <WhatAndWhen input={input} onChange={setInput} />
        <TextInput type="time" {...text("at")} />
        <TextInput
          label={t("office.reports.plan.recipients")}
          description={t("office.reports.plan.recipientsHint")}
          dir="ltr"
          value={recipients}
          error={recipientFault?.[1]}
          onChange={({ currentTarget }) => setRecipients(currentTarget.value)}
        />
        <TextInput
          description={t("office.reports.plan.folderHint")}
          dir="ltr"
          {...text("folder")}
        />
      </div>
      <Switch
        label={t("office.reports.plan.enabled")}
        checked={input.enabled}
        onChange={({ currentTarget }) => setInput({ ...input, enabled: currentTarget.checked })}
      />
      <Trouble error={Object.keys(faults).length > 0 ? null : save.error} />
      <div className={classes.end}>
        <Button variant="default" onClick={onDone}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" loading={save.isPending} disabled={input.name.trim() === ""}>
          {t("office.reports.save")}
        </Button>
      </div>
    </form>
  );
}

interface ChoiceProps {
  readonly input: ScheduleInput;
  readonly onChange: (input: ScheduleInput) => void;
}

function WhatAndWhen({ input, onChange }: ChoiceProps) {
  const { t } = useTranslation();
  return (
    <>
      <ContentFields
        value={input}
        onChange={(chosen) => onChange(withPossibleTime({ ...input, ...chosen }))}
      />
      <Select
        label={t("office.reports.plan.when")}
        description={input.kind === "DAY" ? t("office.reports.plan.whenOfDay") : undefined}
        data={timesOf(input.kind).map((value) => ({
          value,
          label: t(`office.reports.plan.whens.${value}`),
        }))}
        value={input.when}
        onChange={(chosen) => {
          const when = timesOf(input.kind).find((known) => known === chosen);
          if (when) onChange({ ...input, when });
        }}
      />
      <LanguageField
        label={t("office.reports.plan.language")}
        value={input.language}
        onChange={(language) => onChange({ ...input, language })}
      />
    </>
  );
}
