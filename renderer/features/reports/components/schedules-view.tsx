import { Button, Select, Switch, TextInput } from "@mantine/core";
import { IconPlus } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type Schedule,
  type ScheduleInput,
  shopReportOperations,
  timesOf,
} from "../../../../server/contract/pos/shop-reports.ts";
import { Form, FormButtons } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { LanguageField } from "../../../components/language-field.tsx";
import { Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { faultsOf } from "../../../lib/error-words.ts";
import { newId } from "../../../lib/new-id.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { ContentFields } from "./content-fields.tsx";

function inputOf(schedule: ScheduleInput): ScheduleInput {
  const { name, kind, format, when, at, recipients, folder, language, enabled } = schedule;
  return { name, kind, format, when, at, recipients, folder, language, enabled };
}

/** Splits recipients at commas, semicolons and spaces. Removes duplicates. */
export function readRecipients(text: string): string[] {
  return [...new Set(text.split(/[\s,;]+/).filter((address) => address !== ""))];
}

/** Replaces a time that the report's kind does not support with the kind's first supported time. */
export function withPossibleTime(input: ScheduleInput): ScheduleInput {
  const times = timesOf(input.kind);
  const [first = input.when] = times;
  return times.includes(input.when) ? input : { ...input, when: first };
}

/** A schedule for the end of the day, without recipients. */
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

export function SchedulesView() {
  const { t } = useTranslation();
  const schedules = useQuery(operationQuery(shopReportOperations.listSchedules));
  const [open, setOpen] = useState<string>();
  const isNew = open !== undefined && !schedules.data?.list.some((s) => s.scheduleId === open);
  return (
    <>
      <p className="soft">{t("office.reports.plan.intro")}</p>
      <QueryTrouble query={schedules} />
      {schedules.data?.list.length === 0 ? <p>{t("office.reports.plan.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.reports.view.schedules")}>
        {schedules.data?.list.map((schedule) => (
          <ScheduleRow
            key={schedule.scheduleId}
            schedule={schedule}
            isOpen={open === schedule.scheduleId}
            onOpen={(isOpen) => setOpen(isOpen ? schedule.scheduleId : undefined)}
          />
        ))}
      </ul>
      {isNew ? (
        <ScheduleForm
          key={open}
          scheduleId={open}
          saved={EMPTY_SCHEDULE}
          onDone={() => setOpen(undefined)}
        />
      ) : (
        <div>
          <Button
            leftSection={<IconPlus size="1.25rem" aria-hidden="true" />}
            onClick={() => setOpen(newId())}
          >
            {t("office.reports.plan.add")}
          </Button>
        </div>
      )}
    </>
  );
}

interface ScheduleRowProps {
  readonly schedule: Schedule;
  readonly isOpen: boolean;
  readonly onOpen: (isOpen: boolean) => void;
}

function ScheduleRow({ schedule, isOpen, onOpen }: ScheduleRowProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { scheduleId, name, kind, when, at, recipients, folder, nextAt, fault } = schedule;
  const refresh = () =>
    invalidateAnswers(queryClient, [shopReportOperations.listSchedules, shopReportOperations.list]);
  const params = { scheduleId };
  const run = useMutation({
    mutationFn: () => call(shopReportOperations.runSchedule, { params }),
    onSuccess: refresh,
  });
  const remove = useMutation({
    mutationFn: () => call(shopReportOperations.removeSchedule, { params }),
    onSuccess: refresh,
  });
  const to = [...recipients, ...(folder === "" ? [] : [folder])].join(", ");
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <bdi className="strong">{name}</bdi>
        <span className="soft size-caption">
          {t(`office.reports.of.${kind}`)} · {t(`office.reports.plan.times.${when}`, { time: at })}
        </span>
        <bdi className="soft size-caption" dir="ltr">
          {to}
        </bdi>
        <span className="soft size-caption">
          {nextAt === undefined
            ? t("office.reports.plan.off")
            : t("office.reports.plan.next", { time: format.moment(nextAt) })}
        </span>
        <span className="soft size-caption" role="status">
          {run.isSuccess ? t("office.reports.plan.isMade") : null}
        </span>
        {fault === undefined ? null : <bdi className="bad">{fault}</bdi>}
      </span>
      <span className="flex wrap gap-3">
        <Button
          variant="default"
          loading={run.isPending}
          aria-label={t("office.reports.plan.runOf", { name })}
          onClick={() => run.mutate()}
        >
          {t("office.reports.plan.run")}
        </Button>
        <Button
          variant="default"
          aria-expanded={isOpen}
          aria-label={t("office.reports.plan.changeOf", { name })}
          onClick={() => onOpen(!isOpen)}
        >
          {t("office.reports.plan.change")}
        </Button>
        <Button
          variant="default"
          loading={remove.isPending}
          aria-label={t("office.reports.plan.removeOf", { name })}
          onClick={() => remove.mutate()}
        >
          {t("office.reports.plan.remove")}
        </Button>
      </span>
      <Trouble error={run.error ?? remove.error} />
      {isOpen ? (
        <ScheduleForm scheduleId={scheduleId} saved={schedule} onDone={() => onOpen(false)} />
      ) : null}
    </li>
  );
}

interface ScheduleFormProps {
  readonly scheduleId: string;
  readonly saved: ScheduleInput;
  readonly onDone: () => void;
}

function ScheduleForm({ scheduleId, saved, onDone }: ScheduleFormProps) {
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
    <Form className={classes.form} onSubmit={() => save.mutate()}>
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
      <FormButtons onCancel={onDone} loading={save.isPending} disabled={input.name.trim() === ""}>
        {t("office.reports.save")}
      </FormButtons>
    </Form>
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
