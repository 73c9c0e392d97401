import { join } from "node:path";
import { Decimal } from "decimal.js";
import { keyed, readTable, TableError } from "../../lib/csv.ts";
import type { BrandRow } from "./brands.ts";
import { code, positive } from "./cells.ts";
import { idPrefix, spoken, standing } from "./offers.ts";
import { contentsOf, daysText, has, PLAN_COLUMNS, type PlanRow, planId, planOf } from "./plans.ts";
import { fixedMoney } from "./pricing.ts";
import { regionsOf, type Tables } from "./tables.ts";
import {
  DATA_SPEEDS,
  type DataSpeed,
  type EsimOffer,
  type EsimSubtype,
  type Region,
  type Roaming,
} from "./types.ts";

/** Coverage of a plan: a country, or an area of several countries. */
interface Place {
  readonly code: string;
  /** Country code; empty for an area. */
  readonly country: string;
  /** Name as used inside a sentence. */
  readonly name: string;
  readonly regions: readonly Region[];
  readonly zone: string;
  readonly dataSpeeds: readonly DataSpeed[];
  readonly roaming: readonly Roaming[];
}

interface EsimBrand {
  readonly at: string;
  readonly brand: BrandRow;
  readonly places: readonly Place[];
  readonly discountPct: Decimal;
}

const ALL = "all";
const DOLLAR = { currency: "USD", rate: new Decimal(1) };

/**
 * Returns the eSIM offers: each brand offers, in each place, every plan of the place's price zone.
 */
export function esimOffers(tables: Tables, tablesDir: string): EsimOffer[] {
  const countries = readEsimCountries(join(tablesDir, "esim-countries.csv"), tables);
  const areas = readAreas(join(tablesDir, "esim-areas.csv"), countries);
  const brands = readEsimBrands(join(tablesDir, "esim-brands.csv"), tables, countries, areas);
  const plans = readEsimPlans(join(tablesDir, "esim-plans.csv"));
  const unused = new Map(plans);
  const offers = brands.flatMap((seller) =>
    seller.places.flatMap((place) => {
      const key = `${seller.brand.brand} ${place.zone}`;
      const sold = plans.get(key);
      if (sold === undefined) {
        throw new TableError(seller.at, `no plans for ${key} (${place.code})`);
      }
      unused.delete(key);
      return sold.map((plan) => offer(seller, place, plan, tables));
    }),
  );
  for (const [key, rows] of unused) {
    throw new TableError(rows[0]?.at ?? key, `nothing is sold in ${key}`);
  }
  return offers;
}

/**
 * Reads the countries of eSIMs. Name and regions of a country come from countries.csv, or from this
 * table if the country is missing there.
 */
function readEsimCountries(path: string, tables: Tables): Map<string, Place> {
  const rows = readTable(path, ["country", "name", "regions", "zone", "dataSpeeds"]);
  return keyed(rows, ({ at, cells }) => {
    const { country } = cells;
    if (!/^[A-Z]{2}$/.test(country)) {
      throw new TableError(at, `"${country}" is not a two-letter country code`);
    }
    const known = tables.countries.get(country);
    if (known !== undefined && cells.name + cells.regions !== "") {
      throw new TableError(at, `${country} has its name and regions in countries.csv`);
    }
    if (known === undefined && cells.name === "") throw new TableError(at, "name is empty");
    const place: Place = {
      code: country,
      country,
      name: spoken(known ?? cells),
      regions: known?.regions ?? regionsOf(at, cells.regions),
      zone: code(at, "zone", cells.zone),
      dataSpeeds: speedsOf(at, cells.dataSpeeds),
      roaming: [],
    };
    return [country, place];
  });
}

function speedsOf(at: string, text: string): DataSpeed[] {
  const names = text.split("|");
  const speeds = DATA_SPEEDS.filter((speed) => names.includes(speed));
  if (speeds.join("|") !== text) {
    throw new TableError(at, `dataSpeeds "${text}" is not some of ${DATA_SPEEDS.join("|")}`);
  }
  return speeds;
}

function readAreas(path: string, countries: ReadonlyMap<string, Place>): Map<string, Place> {
  const rows = readTable(path, ["area", "name", "regions", "zone", "countries"]);
  return keyed(rows, ({ at, cells }) => {
    if (cells.name === "") throw new TableError(at, "name is empty");
    const members = pick(at, cells.countries, countries);
    const spoke = new Set(members.flatMap(({ dataSpeeds }) => dataSpeeds));
    const place: Place = {
      code: code(at, "area", cells.area),
      country: "",
      name: cells.name,
      regions: regionsOf(at, cells.regions),
      zone: code(at, "zone", cells.zone),
      dataSpeeds: DATA_SPEEDS.filter((speed) => spoke.has(speed)),
      roaming: members.map(({ country, dataSpeeds }) => ({ country, dataSpeeds: [...dataSpeeds] })),
    };
    if (cells.area.length === 2) throw new TableError(at, "an area's code must not be a country's");
    return [cells.area, place];
  });
}

/** Returns the places of a list of codes, or all places. The codes must be in ascending order. */
function pick(at: string, text: string, places: ReadonlyMap<string, Place>): Place[] {
  if (text === ALL) return [...places.values()];
  const codes = text === "" ? [] : text.split(" ");
  return codes.map((name, index) => {
    const place = places.get(name);
    if (place === undefined) throw new TableError(at, `unknown place "${name}"`);
    if (index > 0 && name <= (codes[index - 1] ?? "")) {
      throw new TableError(at, `"${name}" is out of order`);
    }
    return place;
  });
}

function readEsimBrands(
  path: string,
  tables: Tables,
  countries: ReadonlyMap<string, Place>,
  areas: ReadonlyMap<string, Place>,
): EsimBrand[] {
  const known = new Map(tables.brands.map((row) => [row.brand, row]));
  const rows = readTable(path, ["brand", "countries", "areas", "discountPct"]);
  const brands = keyed(rows, ({ at, cells }) => {
    const brand = known.get(cells.brand);
    if (brand === undefined) throw new TableError(at, `unknown brand "${cells.brand}"`);
    const places = [...pick(at, cells.countries, countries), ...pick(at, cells.areas, areas)];
    const discountPct = positive(at, "discountPct", cells.discountPct);
    return [cells.brand, { at, brand, places, discountPct }];
  });
  return [...brands.values()];
}

/** Reads the plans, with prices in US dollars. Keys: `brand zone`. */
function readEsimPlans(path: string): Map<string, PlanRow[]> {
  const plans = new Map<string, PlanRow[]>();
  for (const row of readTable(path, ["brand", "zone", ...PLAN_COLUMNS])) {
    const plan = planOf(row);
    if (!has(plan.data)) throw new TableError(row.at, "a plan without data is not sold as an eSIM");
    const key = `${row.cells.brand} ${row.cells.zone}`;
    plans.set(key, [...(plans.get(key) ?? []), plan]);
  }
  return plans;
}

function subtypeOf({ data, voice, sms }: PlanRow): EsimSubtype {
  if (has(voice) || has(sms)) return "eSIM Voice and Data";
  return data.unlimited ? "eSIM Unlimited" : "eSIM Data";
}

function notesOf(place: Place, plan: PlanRow): string {
  const covered = place.roaming.length === 0 ? "" : `, ${place.roaming.length} countries`;
  const contents = contentsOf(plan).join(" + ");
  return `eSIM for ${place.name}${covered}: ${contents}, valid for ${daysText(plan)} from its first use.`;
}

function offer(
  { brand, discountPct }: EsimBrand,
  place: Place,
  plan: PlanRow,
  tables: Tables,
): EsimOffer {
  const money = fixedMoney(plan.price, DOLLAR, {
    discountPct,
    markupPct: new Decimal(0),
    costFeeCents: 0,
    costFeePct: new Decimal(0),
    priceFeeCents: 0,
  });
  const offerId = `${idPrefix(brand.brand, place.code)}_${planId(plan)}`;
  const { data, durationDays, voice, sms } = plan;
  return {
    offerId,
    brand: brand.brand,
    brandName: brand.brandName,
    country: place.country,
    createdAt: tables.date,
    updatedAt: tables.date,
    ...standing(
      { offerId, brand: brand.brand, country: place.country },
      notesOf(place, plan),
      tables,
    ),
    shortNotes: [...contentsOf(plan), daysText(plan)].join(", "),
    cost: money.cost,
    price: money.price,
    priceType: money.priceType,
    productType: "ESIM",
    regions: [...place.regions],
    subTypes: [subtypeOf(plan)],
    dataGB: data.amount,
    dataSpeeds: [...place.dataSpeeds],
    dataUnlimited: data.unlimited,
    durationDays,
    roaming: place.roaming.map(({ country, dataSpeeds }) => ({
      country,
      dataSpeeds: [...dataSpeeds],
    })),
    smsNumber: sms.amount,
    smsUnlimited: sms.unlimited,
    voiceMinutes: voice.amount,
    voiceUnlimited: voice.unlimited,
  };
}
