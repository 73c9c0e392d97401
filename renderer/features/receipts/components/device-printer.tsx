import { Button, Checkbox, Select } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { use, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { DesktopShell, DevicePrinter } from "../../../../electron/ipc/ipc-map.ts";
import { Notice } from "../../../components/notice.tsx";
import { PrintContext } from "../../../lib/print-context.ts";
import { printTroubleWords } from "../../../lib/print-error.ts";
import { changePrintSettings, usePrintSettings } from "../../../lib/print-settings.ts";

/** Which of the computer's own printers this till prints on, and a test of it. */
export function DevicePrinterChoice() {
  const { t } = useTranslation();
  const { printTestReceipt } = use(PrintContext);
  const test = useMutation({ mutationFn: printTestReceipt });
  return (
    <>
      {window.tillgate ? <DriverChoice shell={window.tillgate} /> : null}
      <Button variant="default" disabled={test.isPending} onClick={() => test.mutate()}>
        {t(test.isPending ? "printing.testing" : "printing.test")}
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
    // A spooler that hangs lists nothing: the choice stays as it is.
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
