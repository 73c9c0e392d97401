import { Button, Select, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { ENDINGS } from "../../../lib/price-endings.ts";
import { endingWords, type RuleSaying } from "../../../lib/price-rule-words.ts";
import { type BandForm, EMPTY_BAND, type RoundingForm } from "../rounding-form.ts";
import fieldClasses from "./price-fields.module.css";

interface RoundingFieldsProps {
  readonly rounding: RoundingForm;
  readonly hasList: boolean;
  readonly saying: RuleSaying;
  readonly fault: string | undefined;
  readonly onChange: (rounding: RoundingForm) => void;
}

const DIRECTIONS = ["UP", "NEAREST", "DOWN"] as const;

export function RoundingFields(props: RoundingFieldsProps) {
  const { rounding, hasList, saying, fault, onChange } = props;
  const { t } = saying;
  const choices: readonly RoundingForm["ends"][] = [
    ...(hasList ? (["list"] as const) : []),
    ...ENDINGS,
    "own",
  ];
  const labelOf = (ends: RoundingForm["ends"]) => {
    if (ends === "list" || ends === "own") {
      return t(`office.prices.form.ending.${ends}`);
    }
    return endingWords(ends, saying);
  };
  return (
    <>
      <div className={fieldClasses.pair}>
        <Select
          label={t("office.prices.form.ending.label")}
          data={choices.map((value) => ({ value, label: labelOf(value) }))}
          value={rounding.ends}
          error={rounding.ends === "own" ? undefined : fault}
          onChange={(ends) =>
            ends &&
            onChange({
              ...rounding,
              ends,
              bands: ends === "own" && rounding.bands.length === 0 ? [EMPTY_BAND] : rounding.bands,
            })
          }
        />
        {rounding.ends === "list" || rounding.ends === "none" ? null : (
          <Select
            label={t("office.prices.form.direction.label")}
            data={DIRECTIONS.map((value) => ({
              value,
              label: t(`office.prices.form.direction.${value}`),
            }))}
            value={rounding.direction}
            onChange={(direction) => direction && onChange({ ...rounding, direction })}
          />
        )}
      </div>
      {rounding.ends === "own" ? (
        <Bands
          bands={rounding.bands}
          saying={saying}
          fault={fault}
          onChange={(bands) => onChange({ ...rounding, bands })}
        />
      ) : null}
    </>
  );
}

interface BandsProps {
  readonly bands: readonly BandForm[];
  readonly saying: RuleSaying;
  readonly fault: string | undefined;
  readonly onChange: (bands: readonly BandForm[]) => void;
}

/** Maximum number of bands that the gateway accepts. */
const MOST_BANDS = 10;

function Bands({ bands, saying, fault, onChange }: BandsProps) {
  const { t, currency } = saying;
  const changeAt = (at: number, changed: Partial<BandForm>) =>
    onChange(bands.map((band, index) => (index === at ? { ...band, ...changed } : band)));
  return (
    <>
      <p className="soft">{t("office.prices.form.band.hint")}</p>
      {bands.map((band, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a band is known by its place alone
        <fieldset key={at} className={fieldClasses.band}>
          <legend className="spoken">
            {t("office.prices.form.band.title", { number: at + 1 })}
          </legend>
          {(["below", "step", "offset"] as const).map((field) => (
            <TextInput
              key={field}
              label={t(`office.prices.form.band.${field}`, { currency })}
              inputMode="decimal"
              autoComplete="off"
              value={band[field]}
              onChange={({ currentTarget }) => changeAt(at, { [field]: currentTarget.value })}
            />
          ))}
          <Button
            variant="subtle"
            aria-label={t("office.prices.form.band.remove", { number: at + 1 })}
            onClick={() => onChange(bands.filter((_band, index) => index !== at))}
          >
            <IconTrash size="1.25rem" aria-hidden="true" />
          </Button>
        </fieldset>
      ))}
      {fault ? (
        <p role="alert" className="bad">
          {fault}
        </p>
      ) : null}
      <Button
        className="self-start"
        variant="default"
        disabled={bands.length >= MOST_BANDS}
        leftSection={<IconPlus size="1.25rem" aria-hidden="true" />}
        onClick={() => onChange([...bands, EMPTY_BAND])}
      >
        {t("office.prices.form.band.add")}
      </Button>
    </>
  );
}
