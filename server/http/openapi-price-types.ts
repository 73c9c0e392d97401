import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import type { Schema } from "./openapi-examples.ts";

/** The schemas of the offers of families that deliver money, or of those that deliver none. */
function offersThat(deliver: { money: boolean }): string[] {
  const facts = FAMILIES.map((family) => FAMILY_FACTS[family]);
  return facts
    .filter(({ deliversMoney }) => deliversMoney === deliver.money)
    .map(({ name }) => `${name}Offer`);
}

const AMOUNTS = ["Cost", "Price", "Send"];
const OF_TYPE = {
  FIXED: { prefix: "Fixed", has: ["fixed"], lacks: ["fx", "min", "max", "increment"] },
  RANGE: { prefix: "Range", has: ["fx", "min", "max", "increment"], lacks: ["fixed"] },
} as const;
type PriceType = keyof typeof OF_TYPE;

function refTo(name: string): string {
  return `#/components/schemas/${name}`;
}

/**
 * Says each kind of offer as one of two, told apart by `priceType`, so that a generated client knows
 * which amounts are there: a FIXED one has `fixed`, a RANGE one `fx`, `min` and `max`. What delivers no
 * money, as an eSIM, is FIXED always.
 */
export function splitByPriceType(schemas: Map<string, Schema>): void {
  for (const type of ["FIXED", "RANGE"] as const) {
    for (const name of AMOUNTS) {
      const whole = schemas.get(name);
      if (whole) schemas.set(nameOf(type, name), amountsOf(type, whole));
    }
  }
  for (const name of offersThat({ money: true })) {
    const whole = schemas.get(name);
    if (!whole) continue;
    for (const type of ["FIXED", "RANGE"] as const) {
      schemas.set(nameOf(type, name), offerOf(type, whole));
    }
    schemas.set(name, {
      title: name,
      ...(whole.description !== undefined && { description: whole.description }),
      oneOf: [nameOf("FIXED", name), nameOf("RANGE", name)].map((part) => ({ $ref: refTo(part) })),
      discriminator: {
        propertyName: "priceType",
        mapping: { FIXED: refTo(nameOf("FIXED", name)), RANGE: refTo(nameOf("RANGE", name)) },
      },
    });
  }
  for (const name of offersThat({ money: false })) {
    const whole = schemas.get(name);
    if (whole) schemas.set(name, { ...offerOf("FIXED", whole), title: name });
  }
  for (const name of AMOUNTS) schemas.delete(name);
}

function nameOf(type: PriceType, name: string): string {
  return OF_TYPE[type].prefix + name;
}

function amountsOf(type: PriceType, whole: Schema): Schema {
  const { properties = {}, required = [], title = "", description = "" } = whole;
  const lacks: readonly string[] = OF_TYPE[type].lacks;
  const kept = Object.entries(properties).filter(([name]) => !lacks.includes(name));
  const has = OF_TYPE[type].has.filter((name) => name in properties && !required.includes(name));
  return {
    ...whole,
    title: nameOf(type, title),
    description: `${description} of a ${type} offer`,
    properties: Object.fromEntries(kept),
    required: [...required, ...has],
  };
}

function offerOf(type: PriceType, whole: Schema): Schema {
  const { properties = {}, title = "" } = whole;
  const parts = Object.entries(properties).map(([name, field]): [string, Schema] => {
    const amounts = AMOUNTS.find((part) => field.$ref === refTo(part));
    if (amounts) return [name, { $ref: refTo(nameOf(type, amounts)) }];
    if (name !== "priceType") return [name, field];
    const description = "Which of the two kinds of offer this is";
    return [name, { type: "string", enum: [type], description }];
  });
  const value = type === "FIXED" ? "bought without a value" : "bought with a value";
  return {
    ...whole,
    title: nameOf(type, title),
    description: `${whole.description ?? ""}, ${value}`,
    properties: Object.fromEntries(parts),
  };
}
