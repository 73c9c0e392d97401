import { Button } from "@mantine/core";
import { IconPlus, IconPrinter, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Printer } from "../../../../server/contract/pos/printers.ts";
import { ErrorNotice, Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { PrintError, printTroubleWords } from "../../../lib/print-error.ts";
import type { Question } from "../../../lib/query-trouble.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { printersQuery, removePrinter, savePrinter } from "../api/printer-queries.ts";
import { printBytes } from "../print/network-print.ts";
import { AddPrinterForm } from "./add-printer-form.tsx";
import { DrawerPinChoice } from "./drawer-pin-choice.tsx";
import { HeadChoice } from "./head-choice.tsx";
import classes from "./printing-screen.module.css";

interface NetworkPrintersProps {
  readonly printers: readonly Printer[] | undefined;
  readonly asked: Question;
  readonly isOwner: boolean;
  /** A test opens the drawer, too, for people who may open it without a sale. */
  readonly mayOpenDrawer: boolean;
  readonly shopName: string;
  readonly language: string;
}

/** The shop's printers: everybody may test them, an owner adds and removes them. */
export function NetworkPrinters(props: NetworkPrintersProps) {
  const { printers, asked, isOwner } = props;
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  return (
    <section className={classes.card} aria-labelledby="printing-network">
      <h2 id="printing-network" className={classes.legend}>
        {t("printing.printers")}
      </h2>
      <QueryTrouble query={asked} />
      {printers?.length === 0 && !adding ? (
        <p className={classes.hint}>{t("printing.none")}</p>
      ) : null}
      <ul className={classes.list}>
        {printers?.map((printer) => (
          <PrinterRow key={printer.printerId} {...props} printer={printer} />
        ))}
      </ul>
      {isOwner && adding ? <AddPrinterForm onDone={() => setAdding(false)} /> : null}
      {isOwner && !adding ? (
        <Button
          className={classes.add ?? ""}
          variant="default"
          leftSection={<IconPlus size="1.25rem" aria-hidden="true" />}
          onClick={() => setAdding(true)}
        >
          {t("printing.add")}
        </Button>
      ) : null}
    </section>
  );
}

/** @throws PrintError */
async function printTest(printer: Printer, shopName: string, language: string): Promise<void> {
  const { testReceiptBytes } = await import("../print/test-receipt.ts");
  const bytes = testReceiptBytes(printer, shopName, language);
  const { printed, reason = "FAILED" } = await printBytes(
    printer,
    bytes,
    printer.drawer ? { drawer: { reason: "TEST", id: printer.printerId } } : {},
  );
  if (!printed) throw new PrintError(reason);
}

function PrinterRow({
  printer,
  isOwner,
  mayOpenDrawer,
  shopName,
  language,
}: NetworkPrintersProps & { readonly printer: Printer }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  const test = useMutation({
    mutationFn: () =>
      printTest({ ...printer, drawer: printer.drawer && mayOpenDrawer }, shopName, language),
  });
  const save = useMutation({
    mutationFn: savePrinter,
    onSuccess: () => queryClient.invalidateQueries(printersQuery()),
  });
  const remove = useMutation({
    mutationFn: () => removePrinter(printer.printerId),
    onSuccess: () => queryClient.invalidateQueries(printersQuery()),
  });
  return (
    <li className={classes.printer}>
      <div className={classes.row}>
        <IconPrinter size="1.5rem" stroke={1.75} aria-hidden="true" />
        <span className={classes.who}>
          <bdi className={classes.name}>{printer.name}</bdi>
          <bdi className={classes.hint} dir="ltr">
            {printer.host}:{printer.port} · {printer.paper.replace("mm", " mm")}
          </bdi>
        </span>
        <Button
          variant="default"
          aria-label={t("printing.testFor", { name: printer.name })}
          disabled={test.isPending}
          onClick={() => test.mutate()}
        >
          {t(test.isPending ? "printing.testing" : "printing.test")}
        </Button>
        {isOwner ? (
          <Button
            variant="default"
            aria-label={t("printing.removeFor", { name: printer.name })}
            leftSection={<IconTrash size="1.25rem" aria-hidden="true" />}
            disabled={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {t("printing.remove")}
          </Button>
        ) : null}
      </div>
      {isOwner ? (
        <PrinterFields printer={printer} isSaving={save.isPending} onSave={save.mutate} />
      ) : null}
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
      <TestResult isPrinted={test.isSuccess} error={test.error} />
    </li>
  );
}

interface PrinterFieldsProps {
  readonly printer: Printer;
  readonly isSaving: boolean;
  readonly onSave: (printer: Printer) => void;
}

/** What an owner sets of a printer that is there. */
function PrinterFields({ printer, isSaving, onSave }: PrinterFieldsProps) {
  return (
    <>
      <HeadChoice
        paper={printer.paper}
        head={printer}
        disabled={isSaving}
        onHead={(head) => onSave({ ...printer, ...head })}
      />
      {printer.drawer ? (
        <DrawerPinChoice
          pin={printer.drawerPin}
          disabled={isSaving}
          onPin={(drawerPin) => onSave({ ...printer, drawerPin })}
        />
      ) : null}
    </>
  );
}

interface TestResultProps {
  readonly isPrinted: boolean;
  readonly error: Error | null;
}

function TestResult({ isPrinted, error }: TestResultProps) {
  const { t } = useTranslation();
  return (
    <>
      {isPrinted ? (
        <Notice tone="info" loud>
          {t("printing.testDone")}
        </Notice>
      ) : null}
      {error ? (
        <Notice tone="wait" loud>
          {printTroubleWords(error, t)}
        </Notice>
      ) : null}
    </>
  );
}
