import { Button } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useMutation } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { Notice } from "../../../components/notice.tsx";
import { reportTroubleWords } from "../../../lib/print-error.ts";
import type { WholeX } from "../whole-x.ts";

interface XPrintProps {
  readonly x: WholeX;
  readonly onPrint: (x: WholeX) => Promise<void>;
}

/** Prints the figures of the own open shift. */
export function XPrint({ x, onPrint }: XPrintProps) {
  const { t } = useTranslation();
  const print = useMutation({ mutationFn: () => onPrint(x) });
  return (
    <div>
      <Button
        variant="default"
        leftSection={<IconPrinter size="1.25rem" aria-hidden="true" />}
        disabled={print.isPending}
        onClick={() => print.mutate()}
      >
        {t("shift.x.print")}
      </Button>
      {print.error ? (
        <Notice tone="bad" loud>
          {reportTroubleWords(print.error, t)}
        </Notice>
      ) : null}
    </div>
  );
}
