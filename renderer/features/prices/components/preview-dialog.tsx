import { Button, SegmentedControl, Skeleton, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Environment } from "../../../../server/contract/common.ts";
import type { PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import type { PriceList } from "../../../../server/contract/pos/prices.ts";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { ErrorNotice, Notice, Trouble } from "../../../components/notice.tsx";
import { errorWords } from "../../../lib/error-words.ts";
import { useNow } from "../../../lib/gateway-clock.ts";
import { ShopTimeZoneContext, useFormat } from "../../../lib/use-format.ts";
import { pricePreviewQuery } from "../api/price-queries.ts";
import { type Moment, readStart } from "../form-moments.ts";
import type { ListChanges } from "../list-draft.ts";
import { NO_MOMENT } from "../rule-form.ts";
import { ChangeList } from "./change-list.tsx";
import { MomentField } from "./moment-field.tsx";
import { PreviewFigures } from "./preview-figures.tsx";
import classes from "./prices.module.css";
import { isChangedMeanwhile, type Saving } from "./use-save-list.ts";

interface PreviewDialogProps {
  readonly environment: Environment;
  readonly state: PriceListState;
  readonly list: PriceList;
  readonly changes: ListChanges;
  readonly title: string;
  readonly saving: Saving;
  readonly mayWait?: boolean;
  readonly onClose: () => void;
  readonly onWhy: (offerId: string) => void;
}

const MINUTE_MS = 60_000;

export function PreviewDialog(props: PreviewDialogProps) {
  const {
    environment,
    state,
    list,
    changes,
    title,
    saving,
    mayWait = false,
    onClose,
    onWhy,
  } = props;
  const { t } = useTranslation();
  const timeZone = useContext(ShopTimeZoneContext);
  const [choice, setChoice] = useState<Choice>({ when: "now", start: NO_MOMENT, note: "" });
  const { when, start, note } = choice;
  const now = useNow(MINUTE_MS);
  const read = readStart(start, timeZone);
  const startsAt = when === "later" && "value" in read ? read.value : undefined;
  const isPast = startsAt !== undefined && Date.parse(startsAt) <= now;
  const isDated = when === "now" || (startsAt !== undefined && !isPast);
  const preview = useQuery({
    ...pricePreviewQuery(environment, { list, ...(startsAt !== undefined && { startsAt }) }),
    enabled: isDated,
    placeholderData: (before) => before,
  });
  return (
    <Dialog opened onClose={onClose} size="xl" title={title}>
      <div className={classes.form}>
        <ChangeList changes={changes} state={state} list={list} />
        <div aria-live="polite" className={classes.group}>
          {preview.data ? <PreviewFigures preview={preview.data} onWhy={onWhy} /> : null}
          {preview.isFetching && !preview.data ? <Looking /> : null}
        </div>
        <Trouble error={preview.error} />
        {mayWait ? <SaveFields choice={choice} isPast={isPast} onChange={setChoice} /> : null}
        <Refused saving={saving} />
        <div className="flex wrap justify-end gap-3">
          <Button variant="default" onClick={onClose}>
            {t("office.prices.preview.back")}
          </Button>
          <Button
            loading={saving.isPending}
            disabled={!preview.data || preview.isFetching || !isDated}
            onClick={() => saving.save({ startsAt, note: note.trim() })}
          >
            {t(when === "later" ? "office.prices.preview.plan" : "office.prices.preview.save")}
          </Button>
        </div>
      </div>
    </Dialog>
  );
}

interface Choice {
  readonly when: "now" | "later";
  readonly start: Moment;
  readonly note: string;
}

interface SaveFieldsProps {
  readonly choice: Choice;
  readonly isPast: boolean;
  readonly onChange: (choice: Choice) => void;
}

function SaveFields({ choice, isPast, onChange }: SaveFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <SegmentedControl
        aria-label={t("office.prices.preview.when")}
        data={(["now", "later"] as const).map((value) => ({
          value,
          label: t(`office.prices.preview.${value}`),
        }))}
        value={choice.when}
        onChange={(when) => onChange({ ...choice, when })}
      />
      {choice.when === "later" ? (
        <MomentField
          label={t("office.prices.preview.from")}
          moment={choice.start}
          fault={isPast ? t("office.prices.fault.past") : undefined}
          onChange={(start) => onChange({ ...choice, start })}
        />
      ) : null}
      <TextInput
        label={t("office.prices.preview.note")}
        maxLength={200}
        value={choice.note}
        onChange={({ currentTarget }) => onChange({ ...choice, note: currentTarget.value })}
      />
    </>
  );
}

/**
 * Reports why the list was not saved. If another owner has saved a list since, this draft is not
 * lost.
 */
function Refused({ saving }: { readonly saving: Saving }) {
  const { t } = useTranslation();
  const format = useFormat();
  const { error, goOn } = saving;
  if (!error) {
    return null;
  }
  if (!isChangedMeanwhile(error)) {
    return <ErrorNotice words={errorWords(error, t, format)} />;
  }
  return (
    <Notice tone="wait" loud>
      <p>
        <strong>{t("office.prices.changed.what")}</strong> {t("office.prices.changed.next")}
      </p>
      {goOn ? (
        <Button className="self-start" variant="default" onClick={goOn}>
          {t("office.prices.changed.goOn")}
        </Button>
      ) : null}
    </Notice>
  );
}

function Looking() {
  const { t } = useTranslation();
  return (
    <div className={classes.group} role="status" aria-busy="true">
      <p className="soft">{t("office.prices.preview.looking")}</p>
      <Skeleton height="6rem" radius="md" />
      <Skeleton height="12rem" radius="md" />
    </div>
  );
}
