import { Checkbox, Select, TextInput } from "@mantine/core";
import { useState } from "react";
import { cashEndings } from "../../../../server/contract/pos/cash-endings.ts";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { PriceListState } from "../../../../server/contract/pos/price-lists.ts";
import type { PriceList } from "../../../../server/contract/pos/prices.ts";
import type { RuleSaying } from "../../../lib/price-rule-words.ts";
import { readPercent } from "../form-fields.ts";
import { type RoundingForm, readRounding, writeRounding } from "../rounding-form.ts";
import type { CurrentDraft } from "../use-list-draft.ts";
import { useRuleSaying } from "../use-rule-saying.ts";
import fieldClasses from "./price-fields.module.css";
import classes from "./prices.module.css";
import { RoundingFields } from "./rounding-fields.tsx";
import { PlannedNotice } from "./versions-view.tsx";

interface SettingsViewProps {
  readonly state: PriceListState;
  readonly draft: CurrentDraft;
}

export function SettingsView({ state, draft }: SettingsViewProps) {
  const saying = useRuleSaying(state);
  const { t } = saying;
  const { list, change } = draft;
  // Changes on save and discard, which resets the fields to the saved list.
  const key = `${draft.version} ${draft.isChanged}`;
  return (
    <div className={classes.form}>
      <p className="soft">{t("office.prices.settings.intro")}</p>
      <PlannedNotice state={state} />
      <Defaults list={list} saying={saying} onChange={change} />
      <ListRounding key={`rounding ${key}`} list={list} saying={saying} onChange={change} />
      <fieldset className={fieldClasses.fields}>
        <legend>{t("office.prices.settings.floor")}</legend>
        <PercentField
          key={`floor ${key}`}
          label={t("office.prices.settings.floorField")}
          hint={t("office.prices.settings.floorHint")}
          value={list.floor?.aboveCostPercent ?? "0"}
          saying={saying}
          onChange={(aboveCostPercent) => change({ ...list, floor: { aboveCostPercent } })}
        />
      </fieldset>
      <fieldset className={fieldClasses.fields}>
        <legend>{t("office.prices.settings.taxes")}</legend>
        <p className="soft">{t("office.prices.settings.taxHint")}</p>
        {FAMILIES.map((family) => (
          <TaxField
            key={`${family} ${key}`}
            family={family}
            list={list}
            saying={saying}
            onChange={change}
          />
        ))}
      </fieldset>
      <fieldset className={fieldClasses.fields}>
        <legend>{t("office.prices.settings.rate")}</legend>
        <div className={fieldClasses.pair}>
          <PercentField
            key={`buffer ${key}`}
            label={t("office.prices.settings.buffer")}
            hint={t("office.prices.settings.bufferHint")}
            value={list.fxBufferPercent}
            saying={saying}
            onChange={(fxBufferPercent) => change({ ...list, fxBufferPercent })}
          />
          <PercentField
            key={`drift ${key}`}
            label={t("office.prices.settings.drift")}
            hint={t("office.prices.settings.driftHint")}
            value={list.driftAlertPercent}
            saying={saying}
            onChange={(driftAlertPercent) => change({ ...list, driftAlertPercent })}
          />
        </div>
      </fieldset>
    </div>
  );
}

interface ListFieldProps {
  readonly list: PriceList;
  readonly saying: RuleSaying;
  readonly onChange: (list: PriceList) => void;
}

function Defaults({ list, saying, onChange }: ListFieldProps) {
  const { t, format, currency, currencyDivisor } = saying;
  const { faceValue = false, cashEndings: hasEndings = false } = list.defaults ?? {};
  const money = (minor = 0) => format.money(minor, currency, currencyDivisor);
  const [small, large] = cashEndings(currency, currencyDivisor).bands;
  const put = (changed: Partial<NonNullable<PriceList["defaults"]>>) =>
    onChange({ ...list, defaults: { faceValue, cashEndings: hasEndings, ...changed } });
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.setting.defaults")}</legend>
      <p className="soft">{t("office.prices.settings.defaults.hint")}</p>
      <Checkbox
        label={t("office.prices.settings.defaults.face")}
        description={t("office.prices.settings.defaults.faceHint")}
        checked={faceValue}
        onChange={({ currentTarget }) => put({ faceValue: currentTarget.checked })}
      />
      <Checkbox
        label={t("office.prices.settings.defaults.endings")}
        description={t("office.prices.settings.defaults.endingsHint", {
          small: money(small?.step),
          large: money(small?.below),
          step: money(large?.step),
        })}
        checked={hasEndings}
        onChange={({ currentTarget }) => put({ cashEndings: currentTarget.checked })}
      />
    </fieldset>
  );
}

function ListRounding({ list, saying, onChange }: ListFieldProps) {
  const { t, currencyDivisor } = saying;
  const [form, setForm] = useState<RoundingForm>(() => {
    const written = writeRounding(list.rounding, currencyDivisor);
    return written.ends === "list" ? { ...written, ends: "none" } : written;
  });
  const read = readRounding(form, currencyDivisor);
  function choose(chosen: RoundingForm) {
    setForm(chosen);
    const { rounding: _before, ...others } = list;
    const is = readRounding(chosen, currencyDivisor);
    if ("value" in is) {
      const rounding = chosen.ends === "none" ? undefined : is.value;
      onChange({ ...others, ...(rounding && { rounding }) });
    }
  }
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.setting.rounding")}</legend>
      <p className="soft">{t("office.prices.settings.roundingHint")}</p>
      <RoundingFields
        rounding={form}
        hasList={false}
        saying={saying}
        fault={"fault" in read ? t(`office.prices.fault.${read.fault}`) : undefined}
        onChange={choose}
      />
    </fieldset>
  );
}

const TAX_KINDS = ["NONE", "ON_PRICE", "ON_MARGIN"] as const;

function TaxField({
  family,
  list,
  saying,
  onChange,
}: ListFieldProps & { readonly family: Family }) {
  const { t } = saying;
  const tax = list.taxes[family];
  const put = (changed: Partial<typeof tax>) =>
    onChange({ ...list, taxes: { ...list.taxes, [family]: { ...tax, ...changed } } });
  return (
    <div className={fieldClasses.pair}>
      <Select
        label={t(`family.${family}.several`)}
        data={TAX_KINDS.map((value) => ({
          value,
          label: t(`office.prices.settings.tax.${value}`),
        }))}
        value={tax.kind}
        onChange={(kind) => kind && put({ kind, ...(kind === "NONE" && { percent: "0" }) })}
      />
      {tax.kind === "NONE" ? null : (
        <PercentField
          label={t("office.prices.settings.taxPercent")}
          name={t("office.prices.settings.taxPercentOf", { family: t(`family.${family}.several`) })}
          value={tax.percent}
          saying={saying}
          onChange={(percent) => put({ percent })}
        />
      )}
    </div>
  );
}

interface PercentFieldProps {
  readonly label: string;
  /** Accessible name, if the label alone is ambiguous. */
  readonly name?: string;
  readonly hint?: string;
  readonly value: string;
  readonly saying: RuleSaying;
  readonly onChange: (percent: string) => void;
}

/** Invalid text stays in the field, with its error. */
function PercentField({ label, name, hint, value, saying, onChange }: PercentFieldProps) {
  const [text, setText] = useState(() => saying.format.typedAmount(value));
  const read = readPercent(text);
  const isWrong = "fault" in read || Number(read.value) < 0;
  return (
    <TextInput
      label={label}
      {...(name !== undefined && { "aria-label": name })}
      description={hint}
      inputMode="decimal"
      autoComplete="off"
      value={text}
      rightSection="%"
      error={isWrong ? saying.t("office.prices.fault.percent") : undefined}
      onChange={({ currentTarget }) => {
        setText(currentTarget.value);
        const typed = readPercent(currentTarget.value);
        if ("value" in typed && Number(typed.value) >= 0) {
          onChange(typed.value);
        }
      }}
    />
  );
}
