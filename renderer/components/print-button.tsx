import { Button } from "@mantine/core";
import { IconPrinter } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Sale } from "../../server/contract/pos/sales.ts";
import { printTroubleWords } from "../lib/print-error.ts";
import { letGo } from "../lib/rest-focus.ts";
import { useScreenCommand } from "../lib/screen-commands.ts";
import { KeyCap } from "./key-cap.tsx";
import { Notice } from "./notice.tsx";

interface PrintButtonProps {
  readonly sale: Sale;
  readonly onPrint: (saleId: string) => Promise<void>;
}

type PrintState = "idle" | "printing" | { readonly error: unknown };

/** Key: P. */
export function PrintButton({ sale, onPrint }: PrintButtonProps) {
  const { t } = useTranslation();
  const [state, setState] = useState<PrintState>("idle");
  const isAgain = sale.receiptsPrinted > 0;

  async function print() {
    if (state === "printing") {
      return;
    }
    setState("printing");
    try {
      await onPrint(sale.saleId);
      setState("idle");
    } catch (error) {
      setState({ error });
    }
  }

  useScreenCommand("print", () => void print());

  return (
    <div className="stack gap-2">
      {/* Messages appear above, so that the button does not move. */}
      {typeof state === "object" ? (
        <Notice tone="bad" loud>
          {printTroubleWords(state.error, t)}
        </Notice>
      ) : null}
      {isAgain ? (
        // A new element for each number, so that the centred text does not move.
        <p key={sale.receiptsPrinted} className="soft size-caption text-center">
          {t("sale.printed", { count: sale.receiptsPrinted })}
        </p>
      ) : null}
      <Button
        variant="default"
        fullWidth
        leftSection={<IconPrinter size="1.25rem" aria-hidden="true" />}
        rightSection={<KeyCap>P</KeyCap>}
        disabled={state === "printing"}
        aria-busy={state === "printing"}
        onClick={(event) => {
          letGo(event);
          void print();
        }}
      >
        {t(printLabel(state, isAgain))}
      </Button>
    </div>
  );
}

function printLabel(state: PrintState, isAgain: boolean) {
  if (state === "printing") {
    return "sale.printing";
  }
  return isAgain ? "sale.printAgain" : "sale.print";
}
