import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import addFormats from "ajv-formats";
import { type TProperties, type TSchema, Type } from "typebox";
import { type CatalogContent, SECTIONS, type Section } from "../../../contract/catalog-content.ts";
import { FAMILIES, FAMILY_FACTS } from "../../../contract/pos/families.ts";
import { BrandDetail, RedemptionInstructions } from "../../../contract/v1/brands.ts";
import { OFFER_SCHEMAS } from "../../../contract/v1/offers.ts";
import { Promo } from "../../../contract/v1/promos.ts";
import { pause } from "../../../lib/clock.ts";
import { orderFieldsBy } from "../../../lib/field-order.ts";

const {
  status: _byTheClock,
  currency: _byTheOffers,
  currencyDivisor: _byTheCurrency,
  ...promoFields
} = Promo.properties;

type OfferSection = Exclude<Section, "brands" | "promos">;

const OFFER_SCHEMA_OF = Object.fromEntries(
  FAMILIES.map((family): [string, TSchema] => [
    FAMILY_FACTS[family].path,
    OFFER_SCHEMAS[family].offer,
  ]),
) as Record<OfferSection, TSchema>;

/** Brand with the fields of `/v1` and the translations of its instructions. */
export const CATALOG_BRAND = Type.Object({
  ...BrandDetail.properties,
  redemptionInstructionInfos: Type.Array(RedemptionInstructions),
});
export const CATALOG_PROMO = Type.Object({
  ...promoFields,
  descriptions: Type.Array(Promo.properties.description),
});
const SCHEMAS: Record<Section, TSchema> = {
  brands: CATALOG_BRAND,
  ...OFFER_SCHEMA_OF,
  promos: CATALOG_PROMO,
};

export const CATALOG_CONTENT = Type.Unsafe<CatalogContent>(
  Type.Object(perSection((section) => Type.Array(SCHEMAS[section]))),
);

/** Functions that put an item's fields in the contract's order. */
export const ORDERED = perSection((section) => orderFieldsBy(SCHEMAS[section]));

function perSection<Value>(make: (section: Section) => Value): Record<Section, Value> {
  const entries = SECTIONS.map((section) => [section, make(section)]);
  return Object.fromEntries(entries) as Record<Section, Value>;
}

export interface Fault {
  path: (string | number)[];
  message: string;
}

export type Check = (item: unknown) => Fault[];

/** Compiles checks that allow no additional properties. Other work may run between sections. */
export async function compileChecks(): Promise<Record<Section, Check>> {
  // Checking the schemas against the meta-schema would take most of the time.
  const options = { allErrors: true, verbose: true, meta: false, validateSchema: false };
  const ajv = addFormats.default(new Ajv(options));
  const made = new Map<Section, ValidateFunction>();
  for (const section of SECTIONS) {
    made.set(section, ajv.compile(strict(SCHEMAS[section])));
    await pause();
  }
  return perSection((section) => {
    const validate = made.get(section);
    if (!validate) throw new Error(`there is no check of the section ${section}`);
    return (item) => listFaults(validate, item);
  });
}

function strict(schema: TSchema): TSchema {
  const { properties, items } = schema as { properties?: TProperties; items?: TSchema };
  if (items) return { ...schema, items: strict(items) };
  if (!properties) return schema;
  const fields: TProperties = {};
  for (const [name, field] of Object.entries(properties)) fields[name] = strict(field);
  return { ...schema, properties: fields, additionalProperties: false };
}

function listFaults(validate: ValidateFunction, item: unknown): Fault[] {
  return validate(item) ? [] : (validate.errors ?? []).map(toFault);
}

function toFault(error: ErrorObject): Fault {
  const path: (string | number)[] = error.instancePath
    .split("/")
    .slice(1)
    .map((step) => (/^\d+$/.test(step) ? Number(step) : step));
  const { missingProperty, additionalProperty } = error.params as Record<string, string>;
  const named = missingProperty ?? additionalProperty;
  if (named !== undefined) path.push(named);
  return { path, message: describeRule(error) };
}

function describeRule({ keyword, message, params, parentSchema }: ErrorObject): string {
  switch (keyword) {
    case "required":
      return "is required";
    case "additionalProperties":
      return "is not a known field";
    case "enum":
      return `must be one of ${(params.allowedValues as string[]).join(", ")}`;
    case "const":
      return `must be ${JSON.stringify(params.allowedValue)}`;
    case "format":
      return "must be a time such as 2026-01-15T09:30:00.000Z";
    case "pattern": {
      const description: unknown = parentSchema?.description;
      if (typeof description === "string") return `must be ${description}`;
      return message ?? "is not valid";
    }
    default:
      return message ?? "is not valid";
  }
}

/**
 * Adds fields that the specification lacks (rules#record-additions), and removes computed fields of
 * a promotion.
 */
export function complete(
  section: Section,
  item: unknown,
  brandNames: ReadonlyMap<string, string>,
): unknown {
  if (!isRecord(item)) return item;
  if (section === "brands") return { redemptionInstructionInfos: [], ...item };
  if (section === "promos") {
    const { status: _status, currency: _currency, currencyDivisor: _divisor, ...kept } = item;
    return { descriptions: [], ...kept };
  }
  const brandName = typeof item.brand === "string" ? brandNames.get(item.brand) : undefined;
  return {
    ...(brandName !== undefined && { brandName }),
    ...(section === "vouchers" && { deliveryType: "" }),
    ...item,
    ...(isRecord(item.cost) && { cost: { discount: 0, fee: 0, feePct: 0, ...item.cost } }),
    ...(isRecord(item.price) && { price: { fee: 0, ...item.price } }),
  };
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const TIMES = ["createdAt", "updatedAt", "startAt", "endAt"];

/** Converts times to the format of `/v1`: UTC with three decimals and `Z`. */
export function tidyTimes(item: Record<string, unknown>): void {
  for (const name of TIMES) {
    const time = item[name];
    if (typeof time === "string") item[name] = new Date(time).toISOString();
  }
}
