import { Button } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { errorWords } from "../lib/error-words.ts";
import { askAgain, type Question, troubleOf } from "../lib/query-trouble.ts";
import { useFormat } from "../lib/use-format.ts";
import { ErrorNotice } from "./notice.tsx";

export function QueryTrouble({ query }: { readonly query: Question }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const trouble = troubleOf(query);
  return trouble ? (
    <div className="stack gap-3">
      <ErrorNotice words={errorWords(trouble, t, format)} />
      <Button variant="default" className="self-start" onClick={() => void askAgain(queryClient)}>
        {t("common.retry")}
      </Button>
    </div>
  ) : null;
}
