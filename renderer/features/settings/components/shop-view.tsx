import { Button, Select, Skeleton, TextInput } from "@mantine/core";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import type { PosSettings } from "../../../../server/contract/pos/settings.ts";
import type { ShopFacts } from "../../../../server/contract/pos/shop.ts";
import type { TimeZone } from "../../../../server/contract/pos/shop-day.ts";
import { shopOperations } from "../../../../server/contract/pos/shop-operations.ts";
import { Notice } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { call } from "../../../lib/api-client.ts";
import { isLanguage, LANGUAGE_NAMES } from "../../../lib/i18n.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeSettings, settingsQuery, shopQuery } from "../api/settings-queries.ts";
import { countryChoices, timeZoneChoices } from "../place-choices.ts";
import { BrandLogoForm } from "./brand-logo-form.tsx";
import { DayStartField } from "./day-start-field.tsx";
import { LogoForm } from "./logo-form.tsx";
import classes from "./settings-screen.module.css";
import { Trouble } from "./trouble.tsx";

const LANGUAGES = Object.entries(LANGUAGE_NAMES).map(([value, label]) => ({ value, label }));
const LONGEST_NAME = 60;

/** What the shop is called, what it prints, and where it is. */
export function ShopView({ receiptText }: { readonly receiptText: ReactNode }) {
  const shop = useQuery(shopQuery());
  const settings = useQuery(settingsQuery());
  return (
    <>
      <QueryTrouble query={shop} />
      {shop.data && settings.data ? (
        <ShopForm shop={shop.data} settings={settings.data} />
      ) : (
        <Skeleton height="16rem" radius="md" />
      )}
      <LogoForm />
      <BrandLogoForm />
      {receiptText}
    </>
  );
}

interface ShopFormProps {
  readonly shop: ShopFacts;
  readonly settings: PosSettings;
}

function ShopForm({ shop, settings }: ShopFormProps) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [name, setName] = useState(shop.name);
  const [language, setLanguage] = useState(shop.language);
  const [country, setCountry] = useState(shop.chosenCountry ? shop.country : "");
  const [timeZone, setTimeZone] = useState(settings.timeZone);
  const [dayStartsAt, setDayStartsAt] = useState(settings.dayStartsAt ?? 0);
  const save = useMutation({
    mutationFn: async () => {
      await call(shopOperations.change, { body: { name, language, country } });
      await changeSettings({ timeZone, dayStartsAt });
    },
    onSuccess: async () => {
      announce(t("office.settings.saved"));
      await queryClient.invalidateQueries({ queryKey: statusQuery().queryKey });
    },
  });
  const isEmpty = name.trim() === "";
  return (
    <form
      className={classes.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty) {
          save.mutate();
        }
      }}
    >
      <TextInput
        label={t("office.settings.shop.name")}
        maxLength={LONGEST_NAME}
        dir="auto"
        autoComplete="organization"
        value={name}
        error={isEmpty ? t("setup.required") : undefined}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <Select
        label={t("office.settings.shop.language")}
        description={t("office.settings.shop.languageHint")}
        allowDeselect={false}
        data={LANGUAGES}
        value={language}
        onChange={(chosen) => {
          if (isLanguage(chosen)) {
            setLanguage(chosen);
          }
        }}
      />
      <PlaceFields
        country={country}
        onCountry={setCountry}
        timeZone={timeZone}
        onTimeZone={setTimeZone}
      />
      <DayStartField value={dayStartsAt} onChange={setDayStartsAt} />
      <Trouble error={save.error} />
      {save.isSuccess ? <Notice tone="info">{t("office.settings.saved")}</Notice> : null}
      <div className={classes.end}>
        <Button type="submit" loading={save.isPending}>
          {t("office.settings.save")}
        </Button>
      </div>
    </form>
  );
}

interface PlaceFieldsProps {
  /** Empty for where currency and time zone say. */
  readonly country: string;
  readonly onCountry: (country: string) => void;
  readonly timeZone: TimeZone;
  readonly onTimeZone: (timeZone: TimeZone) => void;
}

/** Where the shop is, and where its days begin. */
function PlaceFields({ country, onCountry, timeZone, onTimeZone }: PlaceFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [known] = useState(timeZone);
  return (
    <>
      <Select
        label={t("office.settings.shop.country")}
        searchable
        allowDeselect={false}
        data={[
          { value: "", label: t("office.settings.shop.countryAuto") },
          ...countryChoices((code) => format.country(code), format.locale),
        ]}
        value={country}
        onChange={(chosen) => onCountry(chosen ?? "")}
      />
      <Select
        label={t("office.settings.shop.timeZone")}
        description={t("office.settings.shop.timeZoneHint")}
        searchable
        allowDeselect={false}
        data={timeZoneChoices(known)}
        value={timeZone}
        onChange={(chosen) => onTimeZone(chosen ?? known)}
      />
    </>
  );
}
