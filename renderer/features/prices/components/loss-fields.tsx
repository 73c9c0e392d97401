import { Switch, TextInput } from "@mantine/core";
import type { LossForm } from "../rule-form.ts";
import { MomentField } from "./moment-field.tsx";
import fieldClasses from "./price-fields.module.css";
import type { RuleFieldsProps } from "./rule-fields-props.ts";

/** A loss that the owner allows: why, until when, how much. */
export function LossFields({ form, saying, faultOf, onChange }: RuleFieldsProps) {
  const { t, currency } = saying;
  const { loss } = form;
  const change = (changed: Partial<LossForm>) =>
    onChange({ ...form, loss: { ...loss, ...changed } });
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.form.loss.title")}</legend>
      <Switch
        label={t("office.prices.form.loss.allow")}
        description={t("office.prices.form.loss.hint")}
        checked={form.allowsLoss}
        onChange={({ currentTarget }) => onChange({ ...form, allowsLoss: currentTarget.checked })}
      />
      {form.allowsLoss ? (
        <>
          <TextInput
            label={t("office.prices.form.loss.reason")}
            maxLength={200}
            value={loss.reason}
            error={faultOf("lossReason")}
            onChange={({ currentTarget }) => change({ reason: currentTarget.value })}
          />
          <div className={fieldClasses.pair}>
            <TextInput
              label={t("office.prices.form.loss.most", { currency })}
              inputMode="decimal"
              autoComplete="off"
              value={loss.maxLossPerSale}
              error={faultOf("lossMost")}
              onChange={({ currentTarget }) => change({ maxLossPerSale: currentTarget.value })}
            />
            <TextInput
              label={t("office.prices.form.loss.budget", { currency })}
              inputMode="decimal"
              autoComplete="off"
              value={loss.budget}
              error={faultOf("lossBudget")}
              onChange={({ currentTarget }) => change({ budget: currentTarget.value })}
            />
          </div>
          <MomentField
            label={t("office.prices.form.loss.until")}
            moment={loss.until}
            fault={faultOf("lossUntil")}
            onChange={(until) => change({ until })}
          />
        </>
      ) : null}
    </fieldset>
  );
}
