import { Button, Skeleton, Textarea } from "@mantine/core";
import { useForm } from "@mantine/form";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import {
  findLinesTrouble,
  LONGEST_RECEIPT_LINE,
  MOST_RECEIPT_LINES,
  type ReceiptText,
} from "../../../../server/contract/pos/receipt-text.ts";
import { settingsOperations } from "../../../../server/contract/pos/settings.ts";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { queryKeyOf } from "../../../lib/operation-query.ts";
import { troubleOf } from "../../../lib/query-trouble.ts";

/** Only owners may run this query. */
function receiptTextQuery() {
  return queryOptions({
    queryKey: queryKeyOf(settingsOperations.get),
    queryFn: async ({ signal }) => (await call(settingsOperations.get, { signal })).receipt,
    // The screen edits the text, so it must not open with a cached text.
    gcTime: 0,
  });
}

/** Saves the receipt text, and leaves all other settings unchanged. */
async function putReceiptText(receipt: ReceiptText): Promise<ReceiptText> {
  const settings = await call(settingsOperations.get);
  return (await call(settingsOperations.change, { body: { ...settings, receipt } })).receipt;
}

export function ReceiptTextForm() {
  const { t } = useTranslation();
  const text = useQuery(receiptTextQuery());
  return (
    <section className="section stack gap-4" aria-labelledby="receipt-text">
      <div>
        <h2 id="receipt-text" className="size-label">
          {t("printing.text.title")}
        </h2>
        <p className="soft regular">
          {t("printing.text.hint", { lines: MOST_RECEIPT_LINES, letters: LONGEST_RECEIPT_LINE })}
        </p>
      </div>
      {text.data ? <Fields text={text.data} /> : null}
      <QueryTrouble query={text} />
      {text.isPending && !troubleOf(text) ? <Skeleton height="12rem" radius="md" /> : null}
    </section>
  );
}

const FIELDS = ["address", "support"] as const;

function Fields({ text }: { readonly text: ReceiptText }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const form = useForm({
    initialValues: { address: text.address.join("\n"), support: text.support.join("\n") },
    validate: (values) =>
      Object.fromEntries(
        FIELDS.map((field) => {
          const trouble = findLinesTrouble(linesOf(values[field]));
          const words = trouble && t(`printing.text.${trouble}`, limits);
          return [field, words ?? null];
        }),
      ),
  });
  const save = useMutation({
    mutationFn: (values: typeof form.values) =>
      putReceiptText({ address: linesOf(values.address), support: linesOf(values.support) }),
    onSuccess: (saved) => {
      announce(t("printing.text.saved"));
      queryClient.setQueryData(receiptTextQuery().queryKey, saved);
      form.resetDirty();
    },
  });
  return (
    <form
      className="stack gap-4"
      noValidate
      onSubmit={form.onSubmit((values) => save.mutate(values))}
    >
      {FIELDS.map((field) => (
        <Textarea
          key={field}
          label={t(`printing.text.${field}`)}
          placeholder={t(`printing.text.${field}Example`)}
          rows={MOST_RECEIPT_LINES}
          dir="auto"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps(field)}
        />
      ))}
      <Trouble error={save.error} />
      {save.isSuccess && !form.isDirty() ? (
        <Notice tone="info">{t("printing.text.saved")}</Notice>
      ) : null}
      <div className="flex justify-end gap-3">
        <Button type="submit" loading={save.isPending}>
          {t("printing.text.save")}
        </Button>
      </div>
    </form>
  );
}

const limits = { lines: MOST_RECEIPT_LINES, letters: LONGEST_RECEIPT_LINE };

function linesOf(text: string): string[] {
  return text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
}
