import { Button, TextInput } from "@mantine/core";
import { IconDownload } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { LANGUAGES } from "../../../../server/contract/pos/setup.ts";
import {
  type ShopReport,
  type ShopReportInput,
  shopReportOperations,
} from "../../../../server/contract/pos/shop-reports.ts";
import classes from "../../../components/form-page.module.css";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { invalidateAnswers } from "../../../lib/operation-query.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { fileAddress, reportsQuery } from "../api/report-queries.ts";
import { ContentFields } from "./content-fields.tsx";
import { LanguageField } from "./language-field.tsx";
import { faultsOf, Trouble } from "./trouble.tsx";

export function FilesView({ yesterday }: { readonly yesterday: string }) {
  const { t } = useTranslation();
  const reports = useQuery(reportsQuery());
  return (
    <>
      <p className="soft">{t("office.reports.intro")}</p>
      <RequestForm yesterday={yesterday} />
      <h2 className="size-label strong">{t("office.reports.list")}</h2>
      <QueryTrouble query={reports} />
      {reports.data?.list.length === 0 ? <p>{t("office.reports.none")}</p> : null}
      <ul className={classes.rows} aria-label={t("office.reports.list")}>
        {reports.data?.list.map((report) => (
          <ReportRow key={report.reportId} report={report} />
        ))}
      </ul>
    </>
  );
}

function RequestForm({ yesterday }: { readonly yesterday: string }) {
  const { t, i18n } = useTranslation();
  const queryClient = useQueryClient();
  const [input, setInput] = useState<ShopReportInput>({
    kind: "SOLD",
    format: "CSV",
    firstDay: yesterday,
    lastDay: yesterday,
  });
  const isOfDay = input.kind === "DAY";
  const own = LANGUAGES.find((known) => known === i18n.language) ?? "en";
  const language = input.language ?? own;
  const body = isOfDay ? { ...input, lastDay: input.firstDay, language } : input;
  const request = useMutation({
    mutationFn: () => call(shopReportOperations.request, { body }),
    onSuccess: () => invalidateAnswers(queryClient, [shopReportOperations.list]),
  });
  const faults = faultsOf(request.error);
  const day = (name: "firstDay" | "lastDay") => ({
    type: "date",
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
        request.mutate();
      }}
    >
      <div className={classes.fields}>
        <ContentFields value={input} onChange={(chosen) => setInput({ ...input, ...chosen })} />
        <TextInput
          label={t(isOfDay ? "office.reports.day" : "office.reports.firstDay")}
          {...day("firstDay")}
        />
        {isOfDay ? (
          <LanguageField
            label={t("office.reports.language")}
            value={language}
            onChange={(chosen) => setInput({ ...input, language: chosen })}
          />
        ) : (
          <TextInput label={t("office.reports.lastDay")} {...day("lastDay")} />
        )}
      </div>
      <Trouble error={Object.keys(faults).length > 0 ? null : request.error} />
      <div className="flex justify-end gap-3">
        <Button type="submit" loading={request.isPending}>
          {t("office.reports.ask")}
        </Button>
      </div>
    </form>
  );
}

function ReportRow({ report }: { readonly report: ShopReport }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { kind, firstDay, lastDay, state, fault, requestedBy, scheduleName, createdAt } = report;
  const days = firstDay === lastDay ? firstDay : `${firstDay} – ${lastDay}`;
  const title = `${t(`office.reports.of.${kind}`)}, ${days}`;
  const who = requestedBy?.name ?? scheduleName ?? "";
  return (
    <li className={classes.row}>
      <span className={classes.who}>
        <span className="strong">{title}</span>
        <span className="soft size-caption">
          {t(`office.reports.as.${report.format}`)} · {who} · {format.moment(createdAt)}
        </span>
        {fault === undefined ? null : <bdi className="bad">{fault}</bdi>}
      </span>
      {state === "REQUESTED" ? <span role="status">{t("office.reports.making")}</span> : null}
      {state === "READY" ? (
        <Button
          component="a"
          href={fileAddress(report.reportId)}
          download
          variant="default"
          leftSection={<IconDownload size="1.25rem" aria-hidden="true" />}
          aria-label={t("office.reports.downloadOf", { title })}
        >
          {t("office.reports.download")}
        </Button>
      ) : null}
    </li>
  );
}
