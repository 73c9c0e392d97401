import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";

interface LoadedProps {
  readonly query: Question & { readonly isPending: boolean; readonly isSuccess: boolean };
  readonly empty: string;
  readonly count: number;
  readonly children: ReactNode;
}

export function Loaded({ query, empty, count, children }: LoadedProps) {
  const { t } = useTranslation();
  return (
    <>
      <QueryTrouble query={query} />
      {query.isPending && !troubleOf(query) ? (
        <div role="status" aria-busy="true" aria-label={t("common.loading")}>
          <Skeleton height="10rem" radius="md" />
        </div>
      ) : null}
      {query.isSuccess && count === 0 ? <p className="soft">{empty}</p> : null}
      {count > 0 ? children : null}
    </>
  );
}
