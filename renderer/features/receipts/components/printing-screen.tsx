import { Button, Checkbox, SegmentedControl, Select } from "@mantine/core";
import { useMutation, useQuery } from "@tanstack/react-query";
import { use, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DesktopShell, DevicePrinter } from "../../../../electron/ipc/ipc-map.ts";
import type { Printer } from "../../../../server/contract/pos/printers.ts";
import { Notice } from "../../../components/notice.tsx";
import { PrintContext } from "../../../lib/print-context.ts";
import { printTroubleWords } from "../../../lib/print-error.ts";
import {
  changePrintSettings,
  PAPERS,
  type Paper,
  PRINT_RULES,
  type PrintRule,
  usePrintSettings,
} from "../../../lib/print-settings.ts";
import { printersQuery } from "../api/printer-queries.ts";
import { NetworkPrinters, PaperName } from "./network-printers.tsx";
import classes from "./printing-screen.module.css";
import { ReceiptTextForm } from "./receipt-text-form.tsx";

interface PrintingScreenProps {
  readonly mayOpenDrawer: boolean;
  readonly isOwner: boolean;
  readonly shopName: string;
  /** Language of test pages. */
  readonly language: string;
}

export function PrintingScreen({
  isOwner,
  mayOpenDrawer,
  shopName,
  language,
}: PrintingScreenProps) {
  const { t } = useTranslation();
  const printers = useQuery(printersQuery());
  return (
    <main className="min-h-0 overflow-y-auto">
      <div className={classes.sheet}>
        <h1 className="size-heading strong leading-115">{t("printing.title")}</h1>
        <ThisTill printers={printers.data?.list} />
        <NetworkPrinters
          mayOpenDrawer={mayOpenDrawer}
          printers={printers.data?.list}
          asked={printers}
          isOwner={isOwner}
          shopName={shopName}
          language={language}
        />
        {isOwner ? <ReceiptTextForm /> : null}
      </div>
    </main>
  );
}

function ThisTill({ printers }: { readonly printers: readonly Printer[] | undefined }) {
  const { t } = useTranslation();
  const { paper, rule, printerId } = usePrintSettings();
  const chosen = printers?.find((printer) => printer.printerId === printerId);
  const isGone = printerId !== undefined && printers !== undefined && !chosen;
  return (
    <section className="section stack gap-4" aria-labelledby="printing-here">
      <h2 id="printing-here" className="size-label">
        {t("printing.here")}
      </h2>
      <div className="stack gap-2 medium">
        <span id="printing-rule">{t("printing.rule")}</span>
        <SegmentedControl<PrintRule>
          aria-labelledby="printing-rule"
          value={rule}
          onChange={(value) => changePrintSettings({ rule: value })}
          data={PRINT_RULES.map((value) => ({ value, label: t(`printing.rules.${value}`) }))}
        />
        <p className="soft regular">{t("printing.ruleHint")}</p>
      </div>
      <Select
        label={t("printing.where")}
        data={[
          { value: "", label: t("printing.system") },
          ...(printers ?? []).map((one) => ({ value: one.printerId, label: one.name })),
        ]}
        value={isGone ? null : (printerId ?? "")}
        error={isGone ? t("printing.trouble.PRINTER_GONE") : undefined}
        allowDeselect={false}
        onChange={(value) => changePrintSettings({ printerId: value || undefined })}
      />
      {printerId === undefined ? (
        <div className="stack gap-2 medium">
          <span id="printing-paper">{t("printing.paper")}</span>
          <SegmentedControl<Paper>
            aria-labelledby="printing-paper"
            value={paper}
            onChange={(value) => changePrintSettings({ paper: value })}
            data={PAPERS.map((value) => ({
              value,
              label: value === "A4" ? t("printing.sheet") : <PaperName paper={value} />,
            }))}
          />
          <DevicePrinterChoice />
        </div>
      ) : null}
    </section>
  );
}

function DevicePrinterChoice() {
  const { t } = useTranslation();
  const { printTestReceipt } = use(PrintContext);
  const test = useMutation({ mutationFn: printTestReceipt });
  return (
    <>
      {window.tillgate ? <DriverChoice shell={window.tillgate} /> : null}
      <Button variant="default" loading={test.isPending} onClick={() => test.mutate()}>
        {t("printing.test")}
      </Button>
      {test.error ? (
        <Notice tone="wait" loud>
          {printTroubleWords(test.error, t)}
        </Notice>
      ) : null}
    </>
  );
}

function DriverChoice({ shell }: { readonly shell: DesktopShell }) {
  const { t } = useTranslation();
  const { deviceName, driverPage } = usePrintSettings();
  const [list, setList] = useState<readonly DevicePrinter[]>();
  useEffect(() => {
    // If the spooler hangs, the list stays empty and the printer stays selected.
    void shell.printers().then(setList, () => {});
  }, [shell]);
  const isGone =
    list !== undefined && deviceName !== undefined && !list.some(({ name }) => name === deviceName);
  return (
    <>
      <Select
        label={t("printing.device")}
        allowDeselect={false}
        data={[
          { value: "", label: t("printing.deviceDefault") },
          ...(list ?? []).map(({ name, displayName }) => ({ value: name, label: displayName })),
        ]}
        value={isGone ? null : (deviceName ?? "")}
        error={isGone ? t("printing.trouble.NO_PRINTER") : undefined}
        onChange={(value) => changePrintSettings({ deviceName: value || undefined })}
      />
      <Checkbox
        label={t("printing.driverPage")}
        description={t("printing.driverPageHint")}
        checked={driverPage}
        onChange={(event) => changePrintSettings({ driverPage: event.currentTarget.checked })}
      />
    </>
  );
}
