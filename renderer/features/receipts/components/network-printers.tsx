import { Button, Checkbox, SegmentedControl, Select, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { IconPlus, IconPrinter, IconTrash } from "@tabler/icons-react";
import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  DRAWER_PINS,
  type DrawerPin,
  type Printer,
  type PrinterHead,
  printerOperations,
  type RollWidth,
  type SavedPrinter,
  USUAL_HEADS,
} from "../../../../server/contract/pos/printers.ts";
import { FormButtons } from "../../../components/form.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { call } from "../../../lib/api-client.ts";
import { newId } from "../../../lib/new-id.ts";
import { PrintError, printTroubleWords } from "../../../lib/print-error.ts";
import { changePrintSettings } from "../../../lib/print-settings.ts";
import { type Question, troubleOf } from "../../../lib/query-trouble.ts";
import { printersQuery, savePrinter } from "../api/printer-queries.ts";
import { printBytes } from "../print/network-print.ts";
import classes from "./printing-screen.module.css";

/** Common print heads, most common first. */
const HEADS: Readonly<Record<RollWidth, readonly PrinterHead[]>> = {
  "80mm": [
    USUAL_HEADS["80mm"],
    { lineLetters: 42, headDots: 512 },
    { lineLetters: 42, headDots: 576 },
    { lineLetters: 44, headDots: 528 },
  ],
  "58mm": [
    USUAL_HEADS["58mm"],
    { lineLetters: 35, headDots: 416 },
    { lineLetters: 30, headDots: 360 },
    { lineLetters: 42, headDots: 384 },
  ],
};

const HOST = /^[A-Za-z0-9]([A-Za-z0-9.:-]{0,251}[A-Za-z0-9])?$/;
const USUAL_PORT = "9100";
const ROLLS: readonly RollWidth[] = ["80mm", "58mm"];

interface NetworkPrintersProps {
  readonly printers: readonly Printer[] | undefined;
  readonly asked: Question;
  readonly isOwner: boolean;
  /** True if a test also opens the drawer, for which the person needs a permission. */
  readonly mayOpenDrawer: boolean;
  readonly shopName: string;
  readonly language: string;
}

/** Everybody may test printers. Only an owner may add and remove them. */
export function NetworkPrinters(props: NetworkPrintersProps) {
  const { printers, asked, isOwner } = props;
  const { t } = useTranslation();
  const [adding, setAdding] = useState(false);
  const [isAddressUnknown, setAddressUnknown] = useState(false);
  return (
    <section className="section stack gap-4" aria-labelledby="printing-network">
      <h2 id="printing-network" className="size-label">
        {t("printing.printers")}
      </h2>
      <QueryTrouble query={asked} />
      {!troubleOf(asked) && !printers?.length && !adding ? (
        <p className="soft regular">{t(printers ? "printing.none" : "common.loading")}</p>
      ) : null}
      <ul className="stack gap-2">
        {printers?.map((printer) => (
          <PrinterRow key={printer.printerId} {...props} printer={printer} />
        ))}
      </ul>
      {isAddressUnknown ? (
        <Notice tone="wait" loud>
          {t("printing.addressUnknown")}
        </Notice>
      ) : null}
      {isOwner && adding ? (
        <AddPrinterForm
          onDone={(saved) => {
            setAddressUnknown(saved?.isAddressUnknown ?? false);
            setAdding(false);
          }}
        />
      ) : null}
      {isOwner && !adding ? (
        <Button
          className="self-start"
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

/** @throws PrintError if the page was not printed */
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
    mutationFn: () => call(printerOperations.remove, { params: { printerId: printer.printerId } }),
    onSuccess: () => queryClient.invalidateQueries(printersQuery()),
  });
  return (
    <li className="stack gap-3 pad-3-4 frame">
      <div className="row wrap gap-3">
        <IconPrinter size="1.5rem" stroke={1.75} aria-hidden="true" />
        <span className={classes.who}>
          <bdi className="strong">{printer.name}</bdi>
          <bdi className="soft regular" dir="ltr">
            {printer.host}:{printer.port} · {printer.paper.replace("mm", " mm")}
          </bdi>
        </span>
        <Button
          variant="default"
          aria-label={t("printing.testFor", { name: printer.name })}
          loading={test.isPending}
          onClick={() => test.mutate()}
        >
          {t("printing.test")}
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
      <Trouble error={save.error} />
      <TestResult isPrinted={test.isSuccess} error={test.error} />
    </li>
  );
}

interface PrinterFieldsProps {
  readonly printer: Printer;
  readonly isSaving: boolean;
  readonly onSave: (printer: Printer) => void;
}

/** Only an owner may change these settings. */
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

/** Space is reserved for the result, so that nothing below moves. */
function TestResult({ isPrinted, error }: TestResultProps) {
  const { t } = useTranslation();
  if (error || isPrinted) {
    return (
      <Notice tone={error ? "wait" : "info"} loud>
        {error ? printTroubleWords(error, t) : t("printing.testDone")}
      </Notice>
    );
  }
  return <p className={classes.untested}>{t("printing.testHint")}</p>;
}

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

/** Also selects the new printer for this till. */
function AddPrinterForm({ onDone }: { readonly onDone: (saved?: SavedPrinter) => void }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  // The form has one id, so that a repeat after a lost response saves the same printer.
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
    onSuccess: async (saved) => {
      await queryClient.invalidateQueries(printersQuery());
      changePrintSettings({ printerId });
      onDone(saved);
    },
  });
  return (
    <form
      className="stack gap-4"
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
      <Trouble error={save.error} />
      <FormButtons onCancel={() => onDone()} loading={save.isPending}>
        {t("printing.save")}
      </FormButtons>
    </form>
  );
}

/** Choosing a roll sets its usual printable width. */
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

interface DrawerPinChoiceProps {
  readonly pin: DrawerPin;
  readonly disabled?: boolean;
  readonly onPin: (pin: DrawerPin) => void;
}

function DrawerPinChoice({ pin, disabled = false, onPin }: DrawerPinChoiceProps) {
  const { t } = useTranslation();
  return (
    <SegmentedControl
      aria-label={t("printing.drawerPin")}
      disabled={disabled}
      data={DRAWER_PINS.map((value) => ({
        value: String(value),
        label: t("printing.drawerOnPin", { pin: value }),
      }))}
      value={String(pin)}
      onChange={(value) => onPin(value === "5" ? 5 : 2)}
    />
  );
}

interface HeadChoiceProps {
  readonly paper: RollWidth;
  readonly head: PrinterHead;
  readonly disabled?: boolean;
  readonly onHead: (head: PrinterHead) => void;
}

/** A test page shows whether the printable width is correct. */
function HeadChoice({ paper, head, disabled = false, onHead }: HeadChoiceProps) {
  const { t } = useTranslation();
  const usual = HEADS[paper];
  const heads = usual.some((one) => keyOf(one) === keyOf(head)) ? usual : [...usual, head];
  return (
    <Select
      label={t("printing.head")}
      description={t("printing.headHint")}
      allowDeselect={false}
      disabled={disabled}
      data={heads.map((one) => ({
        value: keyOf(one),
        label: t("printing.headOf", { letters: one.lineLetters, dots: one.headDots }),
      }))}
      value={keyOf(head)}
      onChange={(value) => {
        const { lineLetters, headDots } = heads.find((one) => keyOf(one) === value) ?? head;
        onHead({ lineLetters, headDots });
      }}
    />
  );
}

function keyOf({ lineLetters, headDots }: PrinterHead): string {
  return `${lineLetters} ${headDots}`;
}

/** "80 mm" without a line break, from left to right in every language. */
export function PaperName({ paper }: { readonly paper: string }) {
  return <bdi dir="ltr">{paper.replace("mm", " mm")}</bdi>;
}
