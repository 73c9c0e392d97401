import { Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";

/** Shown instead of figures that are loading or could not be loaded. */
export function Awaited({ query }: { readonly query: Question }) {
  const { t } = useTranslation();
  if (query.data !== undefined) {
    return null;
  }
  return troubleOf(query) ? (
    <QueryTrouble query={query} />
  ) : (
    <div className="stack gap-2" role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height="10.5rem" radius="md" />
      <Skeleton height="3.5rem" radius="md" />
    </div>
  );
}
