import { Button, Select, Skeleton, TextInput } from "@mantine/core";
import { IconArrowLeft } from "@tabler/icons-react";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { AUDIT_ACTIONS, type AuditRecord } from "../../../../server/contract/pos/audit-trail.ts";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { type AuditFilter, auditQuery, peopleQuery } from "../api/audit-queries.ts";
import { actionWords, detailWords, subjectWords } from "../audit-words.ts";
import classes from "./audit-screen.module.css";

export function AuditScreen({ onBack }: { readonly onBack: () => void }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<AuditFilter>({});
  const trail = useInfiniteQuery(auditQuery(filter));
  const entries = trail.data?.pages.flatMap(({ list }) => list) ?? [];
  return (
    <OfficeScreen
      title={t("audit.title")}
      actions={
        <Button
          variant="default"
          leftSection={<IconArrowLeft size="1.25rem" aria-hidden="true" />}
          onClick={onBack}
        >
          {t("audit.back")}
        </Button>
      }
      isSheet
    >
      <p className="soft">{t("audit.intro")}</p>
      <Filters filter={filter} onFilter={setFilter} />
      <QueryTrouble query={trail} />
      {trail.isPending && !troubleOf(trail) ? (
        <div role="status" aria-busy="true" aria-label={t("common.loading")}>
          <Skeleton height="12rem" radius="md" />
        </div>
      ) : null}
      {trail.isSuccess && entries.length === 0 ? <p className="soft">{t("audit.empty")}</p> : null}
      <ol className="stack" aria-label={t("audit.list")}>
        {entries.map((record) => (
          <AuditEntry key={record.entryId} record={record} />
        ))}
      </ol>
      {trail.hasNextPage ? (
        <Button
          variant="default"
          loading={trail.isFetchingNextPage}
          onClick={() => void trail.fetchNextPage()}
        >
          {t("audit.more")}
        </Button>
      ) : null}
    </OfficeScreen>
  );
}

interface FiltersProps {
  readonly filter: AuditFilter;
  readonly onFilter: (filter: AuditFilter) => void;
}

function Filters({ filter, onFilter }: FiltersProps) {
  const { t } = useTranslation();
  const people = useQuery(peopleQuery());
  return (
    <div className={classes.filters}>
      <Select
        label={t("audit.person")}
        placeholder={t("audit.anybody")}
        clearable
        clearButtonProps={{ "aria-label": t("audit.anybody") }}
        data={(people.data?.list ?? []).map(({ staffId, name }) => ({
          value: staffId,
          label: name,
        }))}
        value={filter.staffId ?? null}
        onChange={(staffId) => onFilter({ ...filter, staffId: staffId ?? undefined })}
      />
      <Select
        label={t("audit.doneAction")}
        placeholder={t("audit.anything")}
        clearable
        clearButtonProps={{ "aria-label": t("audit.anything") }}
        searchable
        data={AUDIT_ACTIONS.map((action) => ({ value: action, label: actionWords(action, t) }))}
        value={filter.action ?? null}
        onChange={(action) => onFilter({ ...filter, action: action ?? undefined })}
      />
      <TextInput
        type="date"
        label={t("audit.day")}
        value={filter.day ?? ""}
        onChange={(event) => onFilter({ ...filter, day: event.currentTarget.value || undefined })}
      />
    </div>
  );
}

function AuditEntry({ record }: { readonly record: AuditRecord }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { data: unit } = useQuery(statusQuery());
  const action = actionWords(record.action, t);
  const subject = subjectWords(record, t);
  const details = unit ? detailWords(record, t, format, unit) : [];
  return (
    <li className={classes.entry}>
      <time className="soft tabular" dateTime={record.at}>
        {format.day(record.at)} {format.timeExact(record.at)}
      </time>
      <span className={classes.who}>{record.staff?.name ?? t("audit.program")}</span>
      <span className={classes.what}>
        <span>{subject === undefined ? action : t("audit.about", { action, subject })}</span>
        {details.length > 0 ? <span className="soft">{details.join(" · ")}</span> : null}
      </span>
    </li>
  );
}
