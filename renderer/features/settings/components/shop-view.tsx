import { Button, Checkbox, FileButton, Select, Skeleton, TextInput } from "@mantine/core";
import { IconPhotoUp } from "@tabler/icons-react";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import {
  type BrandFacts,
  brandFaceOperations,
  LARGEST_BRAND_LOGO,
} from "../../../../server/contract/pos/brand-faces.ts";
import type { PosSettings } from "../../../../server/contract/pos/settings.ts";
import { type ShopFacts, shopOperations } from "../../../../server/contract/pos/shop.ts";
import {
  DAY_START_STEP,
  LATEST_DAY_START,
  type TimeZone,
} from "../../../../server/contract/pos/shop-day.ts";
import { LARGEST_LOGO, LOGO_PIXELS } from "../../../../server/contract/pos/shop-logo.ts";
import { BrandFace } from "../../../components/brand-face.tsx";
import { Form, FormEnd } from "../../../components/form.tsx";
import classes from "../../../components/form-page.module.css";
import { LanguageField } from "../../../components/language-field.tsx";
import { Notice, Trouble } from "../../../components/notice.tsx";
import { QueryTrouble } from "../../../components/query-trouble.tsx";
import { announce } from "../../../lib/announcer.ts";
import { ApiError, call } from "../../../lib/api-client.ts";
import { logoAddress } from "../../../lib/logo-address.ts";
import { invalidateAnswers, operationQuery } from "../../../lib/operation-query.ts";
import { countryChoices, timeZoneChoices } from "../../../lib/place-choices.ts";
import { statusQuery } from "../../../lib/pos-queries.ts";
import { timeOfDay } from "../../../lib/time-format.ts";
import { useFormat } from "../../../lib/use-format.ts";
import { changeSettings, settingsQuery } from "../api/settings-queries.ts";
import { CHOOSABLE, readPicture } from "../read-picture.ts";

const STARTS = Array.from({ length: LATEST_DAY_START / DAY_START_STEP + 1 }, (_, index) => ({
  value: String(index * DAY_START_STEP),
  label: timeOfDay(index * DAY_START_STEP),
}));

const SLOW_MS = 30_000;

const LONGEST_NAME = 60;

export function ShopView({ receiptText }: { readonly receiptText: ReactNode }) {
  const shop = useQuery({ ...operationQuery(shopOperations.get), gcTime: 0 });
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
    <Form
      className={classes.form}
      onSubmit={() => {
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
      <LanguageField
        label={t("office.settings.shop.language")}
        description={t("office.settings.shop.languageHint")}
        value={language}
        onChange={setLanguage}
      />
      <PlaceFields
        found={shop.chosenCountry ? "" : shop.country}
        country={country}
        onCountry={setCountry}
        timeZone={timeZone}
        onTimeZone={setTimeZone}
      />
      <DayStartField value={dayStartsAt} onChange={setDayStartsAt} />
      <FormEnd save={save} saved={t("office.settings.saved")}>
        {t("office.settings.save")}
      </FormEnd>
    </Form>
  );
}

interface PlaceFieldsProps {
  /** Country derived from currency and time zone. Empty if an owner chose another country. */
  readonly found: string;
  /** Chosen country. Empty if the country is derived from currency and time zone. */
  readonly country: string;
  readonly onCountry: (country: string) => void;
  readonly timeZone: TimeZone;
  readonly onTimeZone: (timeZone: TimeZone) => void;
}

function PlaceFields({ found, country, onCountry, timeZone, onTimeZone }: PlaceFieldsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [known] = useState(timeZone);
  return (
    <>
      <Select
        label={t("office.settings.shop.country")}
        description={country === "" && found !== "" ? t("office.settings.shop.countryAuto") : ""}
        searchable
        allowDeselect={false}
        data={[
          {
            value: "",
            label:
              found === ""
                ? t("office.settings.shop.countryAuto")
                : t("office.settings.shop.countryFound", { country: format.country(found) }),
          },
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

const LOGO_LIMITS = {
  largestBytes: LARGEST_LOGO,
  accepted: ["image/png", "image/jpeg"],
};

const BRAND_LOGO_LIMITS = {
  largestBytes: LARGEST_BRAND_LOGO,
  accepted: ["image/png", "image/jpeg", "image/webp"],
};

/** Replaces drawn brand cards with logos that the shop has the right to show. */
function BrandLogoForm() {
  const { t } = useTranslation();
  const { data } = useQuery(operationQuery(brandFaceOperations.list));
  const [chosen, setChosen] = useState("");
  const brands = data?.list ?? [];
  const brand = brands.find((one) => one.brand === chosen);
  return (
    <section className={classes.form} aria-labelledby="brand-logos">
      <h3 id="brand-logos" className="strong">
        {t("office.settings.shop.brandLogo.title")}
      </h3>
      <p className="soft">{t("office.settings.shop.brandLogo.hint")}</p>
      <Select
        label={t("office.settings.shop.brandLogo.brand")}
        searchable
        limit={100}
        data={brands
          .map(({ brand: value, brandName: label }) => ({ value, label }))
          .toSorted((a, b) => a.label.localeCompare(b.label))}
        value={chosen}
        onChange={(value) => setChosen(value ?? "")}
      />
      {brand ? <LogoOf key={brand.brand} brand={brand} /> : null}
    </section>
  );
}

function LogoOf({ brand }: { readonly brand: BrandFacts }) {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const [isConfirmed, setConfirmed] = useState(false);
  const params = { brand: brand.brand };
  return (
    <>
      <p className="flex wrap gap-3">
        <BrandFace
          brand={brand.brand}
          name={brand.brandName}
          color={brand.brandColor}
          facts={brand}
          size="large"
        />
      </p>
      <Checkbox
        label={t("office.settings.shop.brandLogo.right", { brand: brand.brandName })}
        checked={isConfirmed}
        onChange={({ currentTarget }) => setConfirmed(currentTarget.checked)}
      />
      <LogoButtons
        limits={BRAND_LOGO_LIMITS}
        isShown={brand.logo !== undefined}
        disabled={!isConfirmed}
        onChanged={() => invalidateAnswers(queryClient, [brandFaceOperations.list])}
        set={(content) =>
          call(brandFaceOperations.setLogo, {
            params,
            body: { content, rightConfirmed: true },
            timeoutMs: SLOW_MS,
          })
        }
        remove={() => call(brandFaceOperations.removeLogo, { params })}
      />
    </>
  );
}

interface DayStartFieldProps {
  /** Minutes after midnight. */
  readonly value: number;
  readonly onChange: (value: number) => void;
}

function DayStartField({ value, onChange }: DayStartFieldProps) {
  const { t } = useTranslation();
  return (
    <Select
      label={t("office.settings.shop.dayStartsAt")}
      description={t("office.settings.shop.dayStartsAtHint")}
      allowDeselect={false}
      data={STARTS}
      value={String(value)}
      onChange={(chosen) => onChange(Number(chosen ?? value))}
    />
  );
}

function LogoForm() {
  const { t } = useTranslation();
  const queryClient = useQueryClient();
  const { data: status } = useQuery(statusQuery());
  const logo = status?.logo;
  return (
    <section className={classes.form} aria-labelledby="shop-logo">
      <h3 id="shop-logo" className="strong">
        {t("office.settings.shop.logo.title")}
      </h3>
      <p className="soft">{t("office.settings.shop.logo.hint")}</p>
      {logo ? <LogoPicture digest={logo.digest} /> : null}
      <LogoButtons
        limits={LOGO_LIMITS}
        isShown={logo !== undefined}
        onChanged={() => queryClient.invalidateQueries({ queryKey: statusQuery().queryKey })}
        set={(content) => call(shopOperations.setLogo, { body: { content }, timeoutMs: SLOW_MS })}
        remove={() => call(shopOperations.removeLogo)}
      />
    </section>
  );
}

interface LogoButtonsProps {
  readonly limits: Parameters<typeof readPicture>[1];
  /** True if there is a logo to remove. */
  readonly isShown: boolean;
  readonly disabled?: boolean;
  readonly onChanged: () => Promise<unknown>;
  /** @param content picture in Base64 */
  readonly set: (content: string) => Promise<unknown>;
  readonly remove: () => Promise<unknown>;
}

/** Chooses a picture file, checks it and uploads it; says why a picture cannot be a logo. */
function LogoButtons({ limits, isShown, disabled = false, onChanged, ...logo }: LogoButtonsProps) {
  const { t } = useTranslation();
  const format = useFormat();
  const [isUnreadable, setUnreadable] = useState(false);
  const set = useMutation({ mutationFn: logo.set, onSuccess: onChanged });
  const remove = useMutation({ mutationFn: logo.remove, onSuccess: onChanged });
  const choose = async (file: File | null) => {
    if (!file) return;
    set.reset();
    remove.reset();
    const content = await readPicture(file, limits);
    setUnreadable(content === undefined);
    if (content !== undefined) set.mutate(content);
  };
  const isRefused = set.error instanceof ApiError && set.error.errorCode === "INVALID_REQUEST";
  return (
    <>
      {isUnreadable || isRefused ? (
        <Notice tone="bad" loud>
          {t("office.settings.shop.logo.unfit", { least: format.number(LOGO_PIXELS.least) })}
        </Notice>
      ) : (
        <Trouble error={set.error ?? remove.error} />
      )}
      <div className="flex wrap gap-3">
        <FileButton onChange={(file) => void choose(file)} accept={CHOOSABLE}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              disabled={disabled}
              loading={set.isPending}
              leftSection={<IconPhotoUp size="1.25rem" aria-hidden="true" />}
            >
              {t("office.settings.shop.logo.choose")}
            </Button>
          )}
        </FileButton>
        {isShown ? (
          <Button variant="default" loading={remove.isPending} onClick={() => remove.mutate()}>
            {t("office.settings.shop.logo.remove")}
          </Button>
        ) : null}
      </div>
    </>
  );
}

function LogoPicture({ digest }: { readonly digest: string }) {
  const { t } = useTranslation();
  return (
    <img
      className={classes.logo}
      src={logoAddress(digest)}
      alt={t("office.settings.shop.logo.now")}
    />
  );
}
