import { Button, SegmentedControl, Select, Switch, TextInput } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { useContext, useState } from "react";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { PriceRule, PriceTarget } from "../../../../server/contract/pos/prices.ts";
import { ClearableSelect } from "../../../components/clearable-select.tsx";
import { Dialog } from "../../../components/dialog/dialog.tsx";
import { Form, FormButtons } from "../../../components/form.tsx";
import { Notice } from "../../../components/notice.tsx";
import { kindWords } from "../../../lib/kind-words.ts";
import { type RuleSaying, ruleWords } from "../../../lib/price-rule-words.ts";
import { ShopTimeZoneContext } from "../../../lib/use-format.ts";
import { soldOffersQuery } from "../api/price-queries.ts";
import { usePricesEnvironment } from "../prices-environment.ts";
import {
  HOW_CHOICES,
  isPercentChoice,
  type LossForm,
  type RuleFaults,
  type RuleField,
  type RuleForm,
  readForm,
} from "../rule-form.ts";
import { MomentField } from "./moment-field.tsx";
import { OfferSearch } from "./offer-search.tsx";
import fieldClasses from "./price-fields.module.css";
import classes from "./prices.module.css";
import { RoundingFields } from "./rounding-fields.tsx";

interface RuleFieldsProps {
  readonly form: RuleForm;
  readonly saying: RuleSaying;
  readonly faultOf: (field: RuleField) => string | undefined;
  readonly onChange: (form: RuleForm) => void;
}

/** Fields for the products of a rule. Without a choice, the rule applies to all products. */
function TargetFields({ form, saying, onChange }: RuleFieldsProps) {
  const { t, offerName } = saying;
  const { target } = form;
  const choose = (chosen: PriceTarget) => onChange({ ...form, target: chosen });
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.form.target")}</legend>
      {target.offerId === undefined ? (
        <>
          <GroupFields target={target} saying={saying} onTarget={choose} />
          <OfferSearch
            label={t("office.prices.form.offer")}
            onPick={({ offerId }) => choose({ offerId })}
          />
        </>
      ) : (
        <div className="row wrap justify-between gap-3">
          <strong dir="auto">{offerName(target.offerId)}</strong>
          <Button
            variant="default"
            leftSection={<IconX size="1.25rem" aria-hidden="true" />}
            onClick={() => choose({})}
          >
            {t("office.prices.form.otherOffer")}
          </Button>
        </div>
      )}
    </fieldset>
  );
}

interface GroupFieldsProps {
  readonly target: PriceTarget;
  readonly saying: RuleSaying;
  readonly onTarget: (target: PriceTarget) => void;
}

/** Each choice narrows the other lists. */
function GroupFields({ target, saying, onTarget }: GroupFieldsProps) {
  const { t, format } = saying;
  const { family, country, brand, subType } = target;
  const choices = useChoices(target, saying);
  const change = (changed: Chosen) => onTarget(named({ ...target, ...changed }));
  return (
    <div className={fieldClasses.quad}>
      <ClearableSelect
        label={t("office.prices.form.family")}
        all={t("office.prices.form.all")}
        data={FAMILIES.map((value) => ({ value, label: t(`family.${value}.several`) }))}
        value={family ?? null}
        onChange={(chosen) => change({ family: familyOf(chosen), subType: undefined })}
      />
      <ClearableSelect
        label={t("office.prices.form.country")}
        all={t("office.prices.form.all")}
        searchable
        data={choices.countries.map((value) => ({ value, label: format.country(value) }))}
        value={country ?? null}
        onChange={(chosen) => change({ country: chosen ?? undefined })}
      />
      <ClearableSelect
        label={t("office.prices.form.brand")}
        all={t("office.prices.form.allBrands")}
        searchable
        limit={100}
        data={choices.brands}
        value={brand ?? null}
        onChange={(chosen) => change({ brand: chosen ?? undefined })}
      />
      <ClearableSelect
        label={t("office.prices.form.kind")}
        all={t("office.prices.form.allBrands")}
        disabled={choices.kinds.length === 0}
        data={choices.kinds.map((value) => ({ value, label: kindWords(value, t) }))}
        value={subType ?? null}
        onChange={(chosen) => change({ subType: chosen ?? undefined })}
      />
    </div>
  );
}

function familyOf(text: string | null): Family | undefined {
  return FAMILIES.find((family) => family === text);
}

/** Parts that are undefined are removed. */
type Chosen = { readonly [Name in keyof PriceTarget]?: PriceTarget[Name] | undefined };

function named({ family, country, brand, subType }: Chosen): PriceTarget {
  return {
    ...(family !== undefined && { family }),
    ...(country !== undefined && { country }),
    ...(brand !== undefined && { brand }),
    ...(subType !== undefined && { subType }),
  };
}

/** A chosen value stays in its list even if it is no longer sold. */
function useChoices({ family, country, brand, subType }: PriceTarget, saying: RuleSaying) {
  const { data: index } = useQuery(soldOffersQuery(usePricesEnvironment()));
  const groups = (index?.groups ?? []).filter(
    ({ productType }) => family === undefined || productType === family,
  );
  const { compare } = new Intl.Collator(saying.format.locale);
  const countries = new Set(groups.map((group) => group.country));
  const brands = new Set(
    groups
      .filter((group) => country === undefined || group.country === country)
      .map((one) => one.brand),
  );
  const kinds = new Set(
    (family === undefined ? [] : groups)
      .filter((one) => country === undefined || one.country === country)
      .filter((one) => brand === undefined || one.brand === brand)
      .flatMap((one) => one.subTypes ?? []),
  );
  const chosen = (value: string | undefined) => (value === undefined ? [] : [value]);
  const nameOf = (code: string) => ({ value: code, label: saying.brandName(code) });
  return {
    countries: [...new Set([...countries, ...chosen(country)])]
      .filter((code) => code !== "")
      .sort((a, b) => compare(saying.format.country(a), saying.format.country(b))),
    brands: [...new Set([...brands, ...chosen(brand)])]
      .map(nameOf)
      .sort((a, b) => compare(a.label, b.label)),
    kinds: [...new Set([...kinds, ...chosen(subType)])],
  };
}

interface RuleDialogProps {
  readonly form: RuleForm;
  readonly isNew: boolean;
  readonly saying: RuleSaying;
  readonly onClose: () => void;
  readonly onDone: (rule: PriceRule) => void;
}

export function RuleDialog({ form: opened, isNew, saying, onClose, onDone }: RuleDialogProps) {
  const { t } = saying;
  const timeZone = useContext(ShopTimeZoneContext);
  const [form, setForm] = useState(opened);
  const [isTried, setTried] = useState(false);
  const read = readForm(form, { currencyDivisor: saying.currencyDivisor, timeZone });
  const faults: RuleFaults = isTried && "faults" in read ? read.faults : {};
  const faultOf = (field: RuleField) => {
    const fault = faults[field];
    return fault && t(`office.prices.fault.${fault}`);
  };
  const fields: RuleFieldsProps = { form, saying, faultOf, onChange: setForm };
  return (
    <Dialog
      opened
      onClose={onClose}
      size="xl"
      title={t(isNew ? "office.prices.form.add" : "office.prices.form.change")}
    >
      <Form
        className={classes.form}
        onSubmit={() => {
          setTried(true);
          if ("rule" in read) {
            onDone(read.rule);
          }
        }}
      >
        <TargetFields {...fields} />
        <HowFields {...fields} />
        <fieldset className={fieldClasses.fields}>
          <legend>{t("office.prices.form.ends")}</legend>
          <RoundingFields
            rounding={form.rounding}
            hasList
            saying={saying}
            fault={faultOf("rounding")}
            onChange={(rounding) => setForm({ ...form, rounding })}
          />
        </fieldset>
        <ProfitFields {...fields} />
        <LossFields {...fields} />
        <WhenFields {...fields} />
        <TextInput
          label={t("office.prices.form.note")}
          description={t("office.prices.form.noteHint")}
          maxLength={200}
          value={form.note}
          onChange={({ currentTarget }) => setForm({ ...form, note: currentTarget.value })}
        />
        <Sentence read={read} saying={saying} />
        {isTried && "faults" in read ? (
          <Notice tone="bad" loud>
            {t("office.prices.form.faulty")}
          </Notice>
        ) : null}
        <FormButtons onCancel={onClose}>{t("office.prices.form.done")}</FormButtons>
      </Form>
    </Dialog>
  );
}

interface SentenceProps {
  readonly read: ReturnType<typeof readForm>;
  readonly saying: RuleSaying;
}

function Sentence({ read, saying }: SentenceProps) {
  const { t } = saying;
  return (
    <output className={fieldClasses.said} aria-label={t("office.prices.form.said")}>
      {"rule" in read ? ruleWords(read.rule, saying) : t("office.prices.form.notYet")}
    </output>
  );
}

function HowFields({ form, saying, faultOf, onChange }: RuleFieldsProps) {
  const { t, currency } = saying;
  const isPercent = isPercentChoice(form.how);
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.form.how")}</legend>
      <div className={fieldClasses.pair}>
        <Select
          label={t("office.prices.form.howLabel")}
          data={HOW_CHOICES.map((value) => ({
            value,
            label: t(`office.prices.form.choice.${value}`),
          }))}
          value={form.how}
          onChange={(how) => how && onChange({ ...form, how })}
        />
        <TextInput
          label={t(`office.prices.form.much.${isPercent ? "percent" : "amount"}`, { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={form.much}
          error={faultOf("much")}
          onChange={({ currentTarget }) => onChange({ ...form, much: currentTarget.value })}
        />
      </div>
      <p className="soft">{t(`office.prices.form.choiceHint.${form.how}`)}</p>
    </fieldset>
  );
}

function ProfitFields({ form, saying, faultOf, onChange }: RuleFieldsProps) {
  const { t, currency } = saying;
  if (form.how === "SET") {
    return null;
  }
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.form.limits")}</legend>
      <div className={fieldClasses.pair}>
        <TextInput
          label={t("office.prices.form.least", { currency })}
          inputMode="decimal"
          autoComplete="off"
          value={form.minProfit}
          error={faultOf("minProfit")}
          onChange={({ currentTarget }) => onChange({ ...form, minProfit: currentTarget.value })}
        />
        <TextInput
          label={t("office.prices.form.most", { currency })}
          description={t("office.prices.form.mostHint")}
          inputMode="decimal"
          autoComplete="off"
          value={form.maxProfit}
          error={faultOf("maxProfit")}
          onChange={({ currentTarget }) => onChange({ ...form, maxProfit: currentTarget.value })}
        />
      </div>
    </fieldset>
  );
}

function WhenFields({ form, saying, faultOf, onChange }: RuleFieldsProps) {
  const { t } = saying;
  const classWords = (value: "STANDARD" | "PROMOTION") => t(`office.prices.form.class.${value}`);
  return (
    <fieldset className={fieldClasses.fields}>
      <legend>{t("office.prices.form.when")}</legend>
      <div className={fieldClasses.pair}>
        <MomentField
          label={t("office.prices.form.from")}
          moment={form.from}
          fault={faultOf("from")}
          onChange={(from) => onChange({ ...form, from })}
        />
        <MomentField
          label={t("office.prices.form.until")}
          moment={form.until}
          fault={faultOf("until")}
          onChange={(until) => onChange({ ...form, until })}
        />
      </div>
      <div className={fieldClasses.pair}>
        <div>
          <SegmentedControl
            fullWidth
            aria-label={t("office.prices.form.class.label")}
            data={(["STANDARD", "PROMOTION"] as const).map((value) => ({
              value,
              label: classWords(value),
            }))}
            value={form.class}
            onChange={(chosen) => onChange({ ...form, class: chosen })}
          />
          <p className="soft">{t(`office.prices.form.classHint.${form.class}`)}</p>
        </div>
        <Select
          aria-label={t("office.prices.form.channel.label")}
          data={(["ANY", "TILL", "API"] as const).map((value) => ({
            value,
            label: t(`office.prices.form.channel.${value}`),
          }))}
          value={form.channel}
          onChange={(channel) => channel && onChange({ ...form, channel })}
        />
      </div>
    </fieldset>
  );
}

function LossFields({ form, saying, faultOf, onChange }: RuleFieldsProps) {
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
