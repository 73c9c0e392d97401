import { useTranslation } from "react-i18next";
import type { StaffName } from "../../server/contract/pos/staff.ts";
import { ApiError } from "../lib/api-client.ts";
import { errorWords } from "../lib/error-words.ts";
import { useNow } from "../lib/gateway-clock.ts";
import { formatCountdown } from "../lib/time-format.ts";
import { useFormat } from "../lib/use-format.ts";
import { ErrorNotice, Notice } from "./notice.tsx";

interface ApprovalTroubleProps {
  readonly error: unknown;
  readonly person: StaffName | undefined;
}

export function ApprovalTrouble({ error, person }: ApprovalTroubleProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const code = error instanceof ApiError ? error.errorCode : undefined;
  const fields = error instanceof ApiError ? error.fields : {};
  const lockedUntil = code === "PIN_LOCKED" ? Date.parse(fields.lockedUntil ?? "") : Number.NaN;
  const now = useNow(500, !Number.isNaN(lockedUntil));
  if (lockedUntil > now) {
    const time = formatCountdown(lockedUntil - now);
    return (
      <Notice tone="wait" loud>
        {t("approval.locked", { name: person?.name ?? "", time })}
      </Notice>
    );
  }
  if (code === "PIN_LOCKED") {
    return <Notice tone="info">{t("signIn.lockedOver")}</Notice>;
  }
  if (code === "PIN_WRONG") {
    const left = Number(fields.attemptsLeft);
    return (
      <Notice tone="bad" loud>
        <strong>{t("signIn.wrong")}</strong>{" "}
        {Number.isNaN(left) ? null : t("signIn.attemptsLeft", { count: left })}
      </Notice>
    );
  }
  return <ErrorNotice words={errorWords(error, t, format)} />;
}
