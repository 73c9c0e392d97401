import { Button, type OptionsFilter, Select, TextInput } from "@mantine/core";
import { IconCircleCheck, IconLanguage } from "@tabler/icons-react";
import { type FocusEvent, type MouseEvent, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { SetupCurrencies } from "../../../../server/contract/pos/setup.ts";
import { Flag } from "../../../components/flag.tsx";
import { LanguageField } from "../../../components/language-field.tsx";
import { Notice } from "../../../components/notice.tsx";
import { gatewayNow } from "../../../lib/gateway-clock.ts";
import { chooseLanguage } from "../../../lib/i18n.ts";
import { countryChoices } from "../../../lib/place-choices.ts";
import { cleanRate, isFarRate, isRate } from "../../../lib/rate-rules.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { browserSurroundings, termsOfCountry, timeZoneChoices } from "../proposals.ts";
import { matchesWords, proposedRate, SHOP_FIELDS } from "../setup-rules.ts";
import { problemText, type SetupFormApi } from "../use-setup-form.ts";
import classes from "./setup-screen.module.css";

type OptionsFilterInput = Parameters<OptionsFilter>[0];

interface ShopFieldsProps {
  readonly form: SetupFormApi;
  readonly currencies: SetupCurrencies | undefined;
}

/** The hint is below the input, so that neighbouring inputs align. */
const HINT_BELOW: ("label" | "input" | "description" | "error")[] = [
  "label",
  "input",
  "description",
  "error",
];

/** Selects the text on focus, so that typing replaces a proposed value. */
const TYPED_OVER = {
  onFocus: ({ currentTarget }: FocusEvent<HTMLInputElement>) => currentTarget.select(),
  onClick: ({ currentTarget }: MouseEvent<HTMLInputElement>) => currentTarget.select(),
};

/** English names, which can be searched by city or continent. */
const TIME_ZONES = timeZoneChoices().map((zone) => ({
  value: zone,
  label: zone.replaceAll("_", " "),
}));

function findTimeZones({ options, search }: OptionsFilterInput) {
  return options.filter((option) => "value" in option && matchesWords(search, option.label));
}

/** Fields of the shop. The chosen country proposes a currency and a time zone. */
export function ShopFields({ form, currencies }: ShopFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { errors, values } = form;
  const [isChanging, setChanging] = useState(false);
  const isKnown = values.currency !== "" && values.timeZone !== "";
  const isOpen = isChanging || (values.country !== "" && !isKnown);

  function pickCountry(country: string | null) {
    const terms = termsOfCountry(
      country ?? "",
      browserSurroundings(),
      (currencies?.list ?? []).map(({ currency }) => currency),
    );
    form.setValues({
      country: country ?? "",
      ...terms,
      rate: proposedRate(currencies, terms.currency, gatewayNow()),
    });
    for (const field of SHOP_FIELDS) form.clearFieldError(field);
  }

  return (
    <>
      <TextInput
        label={t("setup.shopName")}
        description={t("setup.shopNameHint")}
        inputWrapperOrder={HINT_BELOW}
        maxLength={60}
        autoFocus
        autoComplete="organization"
        {...form.getInputProps("shopName")}
        error={problemText(errors.shopName, t)}
      />
      <Select
        label={t("setup.country")}
        placeholder={t("setup.countrySearch")}
        data={countryChoices((code) => format.country(code), format.locale)}
        searchable
        {...TYPED_OVER}
        selectFirstOptionOnChange
        nothingFoundMessage={t("setup.noCountry")}
        maxDropdownHeight={260}
        disabled={!currencies}
        leftSection={values.country === "" ? null : <Flag country={values.country} />}
        value={values.country === "" ? null : values.country}
        onChange={pickCountry}
      />
      {isKnown && !isOpen ? (
        <div className={classes.terms}>
          <IconCircleCheck size="1.25rem" aria-hidden="true" />
          <span>
            {t("setup.terms", {
              currency: `${format.currencyName(values.currency)} (${values.currency})`,
              zone: cityOfZone(values.timeZone),
            })}
          </span>
          <Button variant="subtle" onClick={() => setChanging(true)}>
            {t("setup.change")}
          </Button>
        </div>
      ) : null}
      {isOpen ? (
        <>
          <CurrencyField form={form} currencies={currencies} />
          <TimeZoneField form={form} />
        </>
      ) : null}
      <RateField form={form} currencies={currencies} />
    </>
  );
}

/** Returns "Guatemala" for "America/Guatemala". */
function cityOfZone(zone: string): string {
  return (zone.split("/").at(-1) ?? zone).replaceAll("_", " ");
}

/** Choice of the page's language, which becomes the shop's language. */
export function LanguageChoice({ form }: Pick<ShopFieldsProps, "form">) {
  const { t } = useTranslation();
  return (
    <LanguageField
      aria-label={t("setup.language")}
      className={classes.language}
      leftSection={<IconLanguage size="1.125rem" aria-hidden="true" />}
      value={form.values.language}
      onChange={(language) => {
        form.setFieldValue("language", language);
        chooseLanguage(language);
      }}
    />
  );
}

function CurrencyField({ form, currencies }: ShopFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const options = useMemo(
    () =>
      (currencies?.list ?? [])
        .map(({ currency }) => ({
          value: currency,
          label: `${format.currencyName(currency)} (${currency})`,
        }))
        .sort((a, b) => a.label.localeCompare(b.label, format.locale)),
    [currencies, format],
  );

  /**
   * Matches name, code or country, because in some languages a currency's name does not contain its
   * country.
   */
  function findCurrencies({ options: all, search }: OptionsFilterInput) {
    return all.filter(
      (option) =>
        "value" in option &&
        matchesWords(search, `${option.label} ${format.country(option.value.slice(0, 2))}`),
    );
  }

  function pickCurrency(currency: string | null) {
    const rate = proposedRate(currencies, currency ?? "", gatewayNow());
    form.setValues({ currency: currency ?? "", rate });
    form.clearFieldError("currency");
    form.clearFieldError("rate");
  }

  return (
    <Select
      label={t("setup.currency")}
      placeholder={t("setup.currencySearch")}
      data={options}
      searchable
      {...TYPED_OVER}
      openOnFocus={false}
      selectFirstOptionOnChange
      disabled={!currencies}
      nothingFoundMessage={t("setup.noCurrency")}
      maxDropdownHeight={260}
      filter={findCurrencies}
      value={form.values.currency === "" ? null : form.values.currency}
      onChange={pickCurrency}
      error={problemText(form.errors.currency, t)}
    />
  );
}

function TimeZoneField({ form }: Pick<ShopFieldsProps, "form">) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("setup.timeZone")}
      description={t("setup.timeZoneHint")}
      inputWrapperOrder={HINT_BELOW}
      placeholder={t("setup.timeZoneSearch")}
      data={TIME_ZONES}
      searchable
      {...TYPED_OVER}
      openOnFocus={false}
      selectFirstOptionOnChange
      nothingFoundMessage={t("setup.noTimeZone")}
      maxDropdownHeight={260}
      filter={findTimeZones}
      value={form.values.timeZone === "" ? null : form.values.timeZone}
      onChange={(timeZone) => form.setFieldValue("timeZone", timeZone ?? "")}
      error={problemText(form.errors.timeZone, t)}
    />
  );
}

function RateField({ form, currencies }: ShopFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const { currency, rate } = form.values;
  const wallet = currencies?.walletCurrency ?? "";
  const isAsked = currencies !== undefined && currency !== "" && currency !== wallet;
  const shown = isRate(rate) ? format.number(cleanRate(rate) as `${number}`) : "…";
  const reference = currencies?.list.find((one) => one.currency === currency)?.rate ?? "";
  const asOf = `${currencies?.asOf ?? "1970-01-01"}T12:00:00Z`;
  return isAsked ? (
    <div className={classes.rate}>
      <TextInput
        label={t("setup.rate")}
        inputMode="decimal"
        autoComplete="off"
        aria-describedby="setup-rate-hint"
        {...form.getInputProps("rate")}
        error={problemText(form.errors.rate, t)}
      />
      <output className={classes.ratePlain}>
        {t("setup.ratePlain", { wallet, rate: shown, shop: currency })}
      </output>
      {isFarRate(rate, reference) ? (
        <div className="span-all">
          <Notice tone="wait" loud>
            {t("setup.rateFar", { rate: format.number(reference as `${number}`) })}
          </Notice>
        </div>
      ) : null}
      <p id="setup-rate-hint" className="span-all soft size-caption pretty">
        {t("setup.rateHint", {
          wallet,
          rate: isRate(reference) ? format.number(reference as `${number}`) : "–",
          date: format.date(asOf),
          age: format.age(asOf),
        })}
      </p>
    </div>
  ) : null;
}
