import {
  IconAlertTriangle,
  IconHandStop,
  IconInfoCircle,
  IconPlugConnectedX,
} from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { type ErrorWords, errorWords } from "../lib/error-words.ts";
import { useFormat } from "../lib/use-format.ts";
import classes from "./notice.module.css";

/** `stop` is the strongest: the clerk must not make the sale. */
type Tone = "info" | "wait" | "bad" | "offline" | "stop";

const ICONS = {
  info: IconInfoCircle,
  wait: IconAlertTriangle,
  bad: IconAlertTriangle,
  offline: IconPlugConnectedX,
  stop: IconHandStop,
} as const;

interface NoticeProps {
  readonly tone: Tone;
  readonly children: ReactNode;
  /** True if screen readers announce the notice at once. */
  readonly loud?: boolean;
}

export function Notice({ tone, children, loud = false }: NoticeProps) {
  const Icon = ICONS[tone];
  return (
    <div className={classes.notice} data-tone={tone} role={loud ? "alert" : "note"}>
      <Icon size="1.25rem" stroke={2} aria-hidden="true" className={classes.icon} />
      <div className="min-w-0 break-anywhere pretty">{children}</div>
    </div>
  );
}

export function ErrorNotice({ words }: { readonly words: ErrorWords }) {
  const { t } = useTranslation();
  return (
    <Notice tone={words.code === "UNREACHABLE" ? "offline" : "bad"} loud>
      <strong>{words.what}</strong> {words.next}{" "}
      <small className="soft size-caption nowrap">{t("common.code", { code: words.code })}</small>
    </Notice>
  );
}

/** Shows an error, if there is one. */
export function Trouble({ error }: { readonly error: Error | null | undefined }) {
  const { t } = useTranslation();
  const format = useFormat();
  return error ? <ErrorNotice words={errorWords(error, t, format)} /> : null;
}
