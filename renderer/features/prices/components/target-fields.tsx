import { Button, Select } from "@mantine/core";
import { IconX } from "@tabler/icons-react";
import { useQuery } from "@tanstack/react-query";
import { FAMILIES, type Family } from "../../../../server/contract/pos/families.ts";
import type { PriceTarget } from "../../../../server/contract/pos/prices.ts";
import { kindWords } from "../../../lib/kind-words.ts";
import type { RuleSaying } from "../../../lib/price-rule-words.ts";
import { soldOffersQuery } from "../api/price-queries.ts";
import { usePricesEnvironment } from "../prices-environment.ts";
import { OfferSearch } from "./offer-search.tsx";
import fieldClasses from "./price-fields.module.css";
import type { RuleFieldsProps } from "./rule-fields-props.ts";

/** Fields for the products of a rule. Without a choice, the rule applies to all products. */
export function TargetFields({ form, saying, onChange }: RuleFieldsProps) {
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
      <Select
        label={t("office.prices.form.family")}
        placeholder={t("office.prices.form.all")}
        clearable
        clearButtonProps={{ "aria-label": t("office.prices.form.all") }}
        data={FAMILIES.map((value) => ({ value, label: t(`family.${value}.several`) }))}
        value={family ?? null}
        onChange={(chosen) => change({ family: familyOf(chosen), subType: undefined })}
      />
      <Select
        label={t("office.prices.form.country")}
        placeholder={t("office.prices.form.all")}
        clearable
        searchable
        clearButtonProps={{ "aria-label": t("office.prices.form.all") }}
        data={choices.countries.map((value) => ({ value, label: format.country(value) }))}
        value={country ?? null}
        onChange={(chosen) => change({ country: chosen ?? undefined })}
      />
      <Select
        label={t("office.prices.form.brand")}
        placeholder={t("office.prices.form.all")}
        clearable
        searchable
        limit={100}
        clearButtonProps={{ "aria-label": t("office.prices.form.all") }}
        data={choices.brands}
        value={brand ?? null}
        onChange={(chosen) => change({ brand: chosen ?? undefined })}
      />
      <Select
        label={t("office.prices.form.kind")}
        placeholder={t("office.prices.form.all")}
        clearable
        disabled={choices.kinds.length === 0}
        clearButtonProps={{ "aria-label": t("office.prices.form.all") }}
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
