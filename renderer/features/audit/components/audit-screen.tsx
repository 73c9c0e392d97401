import { TextInput } from "@mantine/core";
import { infiniteQueryOptions, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  AUDIT_ACTIONS,
  type AuditAction,
  type AuditRecord,
  auditOperations,
} from "../../../../server/contract/pos/audit-trail.ts";
import { staffOperations } from "../../../../server/contract/pos/staff.ts";
import { BackButton } from "../../../components/back-button.tsx";
import { ClearableSelect } from "../../../components/clearable-select.tsx";
import { AwaitedList, MoreButton } from "../../../components/loading.tsx";
import { OfficeScreen } from "../../../components/office-screen.tsx";
import { call } from "../../../lib/api-client.ts";
import { dayEnds } from "../../../lib/day-ends.ts";
import { operationQuery, queryKeyOf } from "../../../lib/operation-query.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { actionWords, detailWords, subjectWords } from "../audit-words.ts";
import classes from "./audit-screen.module.css";

const PAGE = 50;

/** Filter of the audit trail. `day` is a day of this till's clock, as YYYY-MM-DD. */
interface AuditFilter {
  readonly staffId?: string | undefined;
  readonly action?: AuditAction | undefined;
  readonly day?: string | undefined;
}

function auditQuery({ staffId, action, day }: AuditFilter) {
  return infiniteQueryOptions({
    queryKey: queryKeyOf(auditOperations.list, { query: { staffId, action, ...dayEnds(day) } }),
    queryFn: ({ pageParam, signal }) =>
      call(auditOperations.list, {
        query: { staffId, action, ...dayEnds(day), before: pageParam, limit: PAGE },
        signal,
      }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: (page) => (page.more ? page.list.at(-1)?.entryId : undefined),
  });
}

function peopleQuery() {
  return { ...operationQuery(staffOperations.list), staleTime: 10_000 };
}

export function AuditScreen({ onBack }: { readonly onBack: () => void }) {
  const { t } = useTranslation();
  const [filter, setFilter] = useState<AuditFilter>({});
  const trail = useInfiniteQuery(auditQuery(filter));
  const entries = trail.data?.pages.flatMap(({ list }) => list) ?? [];
  return (
    <OfficeScreen
      title={t("audit.title")}
      actions={<BackButton onClick={onBack}>{t("audit.back")}</BackButton>}
      isSheet
    >
      <p className="soft">{t("audit.intro")}</p>
      <Filters filter={filter} onFilter={setFilter} />
      <AwaitedList query={trail} count={entries.length} empty={t("audit.empty")} height="12rem">
        <ol className="stack" aria-label={t("audit.list")}>
          {entries.map((record) => (
            <AuditEntry key={record.entryId} record={record} />
          ))}
        </ol>
      </AwaitedList>
      <MoreButton pages={trail}>{t("audit.more")}</MoreButton>
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
      <ClearableSelect
        label={t("audit.person")}
        all={t("audit.anybody")}
        data={(people.data?.list ?? []).map(({ staffId, name }) => ({
          value: staffId,
          label: name,
        }))}
        value={filter.staffId ?? null}
        onChange={(staffId) => onFilter({ ...filter, staffId: staffId ?? undefined })}
      />
      <ClearableSelect
        label={t("audit.doneAction")}
        all={t("audit.anything")}
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
