import { useTranslation } from "react-i18next";
import { ErrorNotice } from "../../../components/notice.tsx";
import { ApiError } from "../../../lib/api-client.ts";
import { errorWords } from "../../../lib/error-words.ts";
import { useFormat } from "../../../lib/use-format.ts";

export function Trouble({ error }: { readonly error: Error | null }) {
  const { t } = useTranslation();
  const format = useFormat();
  return error ? <ErrorNotice words={errorWords(error, t, format)} /> : null;
}

/** Returns the gateway's errors by field name. */
export function faultsOf(error: Error | null): Readonly<Record<string, string>> {
  return error instanceof ApiError ? error.fields : {};
}
