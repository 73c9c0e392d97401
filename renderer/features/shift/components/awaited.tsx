import { Button, Skeleton } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";
import classes from "./shift-screen.module.css";

interface AwaitedProps {
  readonly query: {
    readonly data: unknown;
    readonly error: Error | null;
    readonly refetch: () => unknown;
  };
}

/** In the place of figures that the gateway has not told yet, or could not tell. */
export function Awaited({ query: { data, error, refetch } }: AwaitedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (data !== undefined) {
    return null;
  }
  if (error) {
    return (
      <div className={classes.list}>
        <ErrorNotice words={errorWords(error, t, format)} />
        <Button variant="default" className={classes.again ?? ""} onClick={() => void refetch()}>
          {t("common.retry")}
        </Button>
      </div>
    );
  }
  return (
    <div className={classes.list} role="status" aria-busy="true" aria-label={t("common.loading")}>
      <Skeleton height="10.5rem" radius="md" />
      <Skeleton height="3.5rem" radius="md" />
    </div>
  );
}
