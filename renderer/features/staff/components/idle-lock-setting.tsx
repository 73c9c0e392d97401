import { Select } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { setIdleLock } from "../api/staff-queries.ts";
import classes from "./staff-screen.module.css";

const CHOICES = [0, 1, 2, 3, 5, 10, 15, 30, 60];

/** After how many minutes a till that nobody touches locks itself. */
export function IdleLockSetting() {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const { data: status } = useQuery(statusQuery());
  const minutes = status?.idleLockMinutes;
  const change = useMutation({
    mutationFn: setIdleLock,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: statusQuery().queryKey }),
  });
  if (minutes === undefined) {
    return null;
  }
  const choices = [...new Set([...CHOICES, minutes])].sort((a, b) => a - b);
  return (
    <div className={classes.setting}>
      <Select
        label={t("staff.idleLock")}
        allowDeselect={false}
        disabled={change.isPending}
        data={choices.map((choice) => ({
          value: String(choice),
          label:
            choice === 0 ? t("staff.idleLockNever") : t("staff.idleLockAfter", { count: choice }),
        }))}
        value={String(minutes)}
        onChange={(value) => change.mutate(Number(value))}
      />
      {change.error ? <ErrorNotice words={errorWords(change.error, t, format)} /> : null}
    </div>
  );
}
