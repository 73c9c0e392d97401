import { Button, Skeleton } from "@mantine/core";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type Question, troubleOf } from "../lib/query-trouble.ts";
import { QueryTrouble } from "./query-trouble.tsx";

interface LoadingProps {
  /** Heights of the bars, which reserve the place of the content. */
  readonly heights: readonly string[];
}

export function Loading({ heights }: LoadingProps) {
  const { t } = useTranslation();
  return (
    <div className="stack gap-2" role="status" aria-busy="true" aria-label={t("common.loading")}>
      {[...heights.entries()].map(([place, height]) => (
        <Skeleton key={place} height={height} radius="md" />
      ))}
    </div>
  );
}

interface AwaitedListProps {
  readonly query: Question & { readonly isPending: boolean; readonly isSuccess: boolean };
  readonly empty: string;
  readonly count: number;
  readonly height?: string;
  readonly children: ReactNode;
}

/** A list, or the reason why no entry is shown. */
export function AwaitedList(props: AwaitedListProps) {
  const { query, empty, count, height = "10rem", children } = props;
  return (
    <>
      <QueryTrouble query={query} />
      {query.isPending && !troubleOf(query) ? <Loading heights={[height]} /> : null}
      {query.isSuccess && count === 0 ? <p className="soft">{empty}</p> : null}
      {count > 0 ? children : null}
    </>
  );
}

export interface PagesOfList {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  readonly fetchNextPage: () => Promise<unknown>;
}

interface MoreButtonProps {
  readonly pages: PagesOfList;
  readonly className?: string | undefined;
  readonly children: string;
}

/** Loads the next page of a list, if there is one. */
export function MoreButton({ pages, className, children }: MoreButtonProps) {
  return pages.hasNextPage ? (
    <Button
      variant="default"
      loading={pages.isFetchingNextPage}
      onClick={() => void pages.fetchNextPage()}
      {...(className && { className })}
    >
      {children}
    </Button>
  ) : null;
}
