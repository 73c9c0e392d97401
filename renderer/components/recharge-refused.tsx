import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { hasErrorCode } from "../lib/api-client.ts";
import { errorWords } from "../lib/error-words.ts";
import { useFormat } from "../lib/use-format.ts";
import { ErrorNotice } from "./notice.tsx";

interface RechargeRefusedProps {
  readonly error: unknown;
  readonly loading: boolean;
  /** Records the recharge although an earlier recharge has the same reference. */
  readonly onAgain: () => void;
}

export function RechargeRefused({ error, loading, onAgain }: RechargeRefusedProps) {
  const { t } = useTranslation();
  const format = useFormat();
  if (!error) return null;
  return (
    <>
      <ErrorNotice words={errorWords(error, t, format)} />
      {hasErrorCode(error, "REFERENCE_USED") ? (
        <Button variant="default" loading={loading} onClick={onAgain}>
          {t("office.wallet.recharge.again")}
        </Button>
      ) : null}
    </>
  );
}
