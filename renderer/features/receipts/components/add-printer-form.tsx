import { Button, Checkbox, SegmentedControl, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type DrawerPin,
  type PrinterHead,
  type RollWidth,
  USUAL_HEADS,
} from "../../../../server/contract/pos/printers.ts";
import { ErrorNotice } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { newId } from "../../../lib/new-id.ts";
import { changePrintSettings } from "../../../lib/print-settings.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { printersQuery, savePrinter } from "../api/printer-queries.ts";
import { DrawerPinChoice } from "./drawer-pin-choice.tsx";
import { HeadChoice } from "./head-choice.tsx";
import { PaperName } from "./paper-name.tsx";
import classes from "./printing-screen.module.css";

const HOST = /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/;
const USUAL_PORT = "9100";
const ROLLS: readonly RollWidth[] = ["80mm", "58mm"];

interface PrinterForm extends PrinterHead {
  name: string;
  host: string;
  port: string;
  paper: RollWidth;
  drawer: boolean;
  drawerPin: DrawerPin;
}

type HeadBinder = Pick<ReturnType<typeof useForm<PrinterForm>>, "values" | "setValues">;
type FieldBinder = Pick<ReturnType<typeof useForm<PrinterForm>>, "getInputProps">;

/** A printer by its address; this till prints on it from then on. */
export function AddPrinterForm({ onDone }: { readonly onDone: () => void }) {
  const { t } = useTranslation();
  const format = useFormat();
  const queryClient = useQueryClient();
  // Made once: saving again after no answer saves the same printer.
  const [printerId] = useState(newId);
  const form = useForm<PrinterForm>({
    initialValues: {
      name: "",
      host: "",
      port: USUAL_PORT,
      paper: "80mm",
      drawer: false,
      drawerPin: 2,
      ...USUAL_HEADS["80mm"],
    },
    validate: {
      name: (name) => (name.trim() === "" ? t("setup.required") : null),
      host: (host) => (HOST.test(host.trim()) ? null : t("printing.hostInvalid")),
      port: (port) => (isPort(port) ? null : t("printing.portInvalid")),
    },
  });
  const save = useMutation({
    mutationFn: ({ name, host, port, ...rest }: PrinterForm) =>
      savePrinter({ printerId, name: name.trim(), host: host.trim(), port: Number(port), ...rest }),
    onSuccess: async () => {
      await queryClient.invalidateQueries(printersQuery());
      changePrintSettings({ printerId });
      onDone();
    },
  });
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      <TextInput
        label={t("printing.name")}
        maxLength={40}
        autoComplete="off"
        autoFocus
        {...form.getInputProps("name")}
      />
      <AddressFields form={form} />
      <PaperFields form={form} />
      <Checkbox
        label={t("printing.drawer")}
        {...form.getInputProps("drawer", { type: "checkbox" })}
      />
      {form.values.drawer ? (
        <DrawerPinChoice
          pin={form.values.drawerPin}
          onPin={(pin) => form.setFieldValue("drawerPin", pin)}
        />
      ) : null}
      {save.error ? <ErrorNotice words={errorWords(save.error, t, format)} /> : null}
      <div className={classes.buttons}>
        <Button variant="default" onClick={onDone}>
          {t("common.cancel")}
        </Button>
        <Button type="submit" loading={save.isPending}>
          {t("printing.save")}
        </Button>
      </div>
    </form>
  );
}

/** The roll, and what the head of its printers usually reaches. */
function PaperFields({ form }: { readonly form: HeadBinder }) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl<RollWidth>
        aria-label={t("printing.paper")}
        data={ROLLS.map((value) => ({ value, label: <PaperName paper={value} /> }))}
        value={form.values.paper}
        onChange={(paper) => form.setValues({ paper, ...USUAL_HEADS[paper] })}
      />
      <HeadChoice paper={form.values.paper} head={form.values} onHead={form.setValues} />
    </>
  );
}

function AddressFields({ form }: { readonly form: FieldBinder }) {
  const { t } = useTranslation();
  return (
    <div className={classes.address}>
      <TextInput
        label={t("printing.host")}
        placeholder="192.168.1.50"
        inputMode="decimal"
        autoComplete="off"
        spellCheck={false}
        {...form.getInputProps("host")}
      />
      <TextInput
        label={t("printing.port")}
        inputMode="numeric"
        maxLength={5}
        autoComplete="off"
        {...form.getInputProps("port")}
      />
    </div>
  );
}

function isPort(text: string): boolean {
  return /^[1-9][0-9]{0,4}$/.test(text) && Number(text) <= 65_535;
}
