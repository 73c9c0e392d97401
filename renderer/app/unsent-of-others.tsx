import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../components/notice.tsx";
import { listUnsentAttempts } from "../features/counter/sale/attempt/attempt-store.ts";
import { staffNamesQuery } from "../features/session/api/session-queries.ts";
import classes from "./shell.module.css";

interface UnsentOfOthersProps {
  readonly staffId: string;
}

/** Names the staff members whose paid sales this till has not sent yet: they must sign in. */
export function UnsentOfOthers({ staffId }: UnsentOfOthersProps) {
  const { t } = useTranslation();
  const others = new Set(listUnsentAttempts().map((attempt) => attempt.staffId));
  others.delete(staffId);
  const { data } = useQuery({ ...staffNamesQuery(), enabled: others.size > 0 });
  const names = data?.list.filter((person) => others.has(person.staffId)) ?? [];
  return names.map(({ staffId: id, name }) => (
    <div key={id} className={classes.notice}>
      <Notice tone="wait">{t("app.unsentOf", { name })}</Notice>
    </div>
  ));
}
