import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";

interface AwaitedFiguresProps<Data> {
  readonly query: Question & { readonly data: Data | undefined };
  /** Height that is reserved while loading, so that elements below do not move. */
  readonly height?: string;
  readonly children: (data: Data) => ReactNode;
}

export function AwaitedFigures<Data>(props: AwaitedFiguresProps<Data>) {
  const { query, height = "12rem", children } = props;
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (troubleOf(query)) return <QueryTrouble query={query} />;
  return (
    <div role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height={height} radius="lg" />
    </div>
  );
}
