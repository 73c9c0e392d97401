import { Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";
import classes from "./figures-page.module.css";

interface FiguresPageProps {
  readonly section: "overview" | "figures";
  /** Whose figures they are: the title says so. */
  readonly environment: Environment | undefined;
  readonly lead: string | undefined;
  readonly children: ReactNode;
}

/** A page of figures: its title says whether they are of test or live, which never meet. */
export function FiguresPage({ section, environment, lead, children }: FiguresPageProps) {
  const { t } = useTranslation();
  const name = t(`office.frame.section.${section}`);
  return (
    <main className={classes.screen}>
      <div className={classes.card}>
        <header className={classes.head} data-environment={environment}>
          <h1 className={classes.title}>
            {environment ? t(`office.figures.title.${environment}`, { section: name }) : name}
          </h1>
          {lead ? <p className={classes.small}>{lead}</p> : null}
        </header>
        {children}
      </div>
    </main>
  );
}

interface AwaitedFiguresProps<Data> {
  readonly query: Question & { readonly data: Data | undefined };
  readonly children: (data: Data) => ReactNode;
}

/** What a query answers; until then that it is loading, or why there is nothing. */
export function AwaitedFigures<Data>({ query, children }: AwaitedFiguresProps<Data>) {
  const { t } = useTranslation();
  if (query.data !== undefined) return children(query.data);
  if (troubleOf(query)) return <QueryTrouble query={query} />;
  return (
    <div
      className={classes.loading}
      role="status"
      aria-busy="true"
      aria-label={t("common.loading")}
    >
      <Skeleton height="6rem" radius="md" />
      <Skeleton height="12rem" radius="md" />
    </div>
  );
}
