import { Promo, type PromoDescription } from "../../contract/v1/promos.ts";
import { isRecord, type NoteDeviation, readList, StatedRecord } from "./stated-values.ts";

/** A promotion as it was read, with the languages that came with it. */
export interface ReadPromo {
  id?: unknown;
  description?: { language?: unknown };
  descriptions: Partial<PromoDescription>[];
  [field: string]: unknown;
}

interface PromoContext {
  brandCodeOf(stated: string): string;
  note: NoteDeviation;
}

/**
 * A promotion of another gateway (rules#upstream-liberal-reading): its description is one, or a list of one for each
 * language; its region is one, or a list of which the first known one counts.
 */
export function readPromo(stated: unknown, { brandCodeOf, note }: PromoContext): ReadPromo {
  if (!isRecord(stated)) return { descriptions: [] };
  const id = typeof stated.id === "string" ? stated.id : undefined;
  const promo = new StatedRecord(stated, { section: "promos", id, note });
  promo.noteUnknownFields(Promo);
  const brand = isRecord(stated.brand) ? promo.record("brand").identifier("brand") : stated.brand;
  const createdAt = promo.time("createdAt");
  const updatedAt = promo.time("updatedAt");
  const startAt = promo.time("startAt");
  const minValue = promo.number("minValue", { isInteger: true });
  const texts = readList(stated.description).flatMap((text) =>
    isRecord(text) ? [readText(new StatedRecord(text, promo.inside("description")))] : [],
  );
  const english = texts.find(({ language }) => language === "en") ?? texts[0];
  const [region] = promo.listOf("regions", Promo.properties.regions.enum);
  return {
    id: promo.identifier("id"),
    brand: { brand: typeof brand === "string" ? brandCodeOf(brand) : brand },
    country: promo.country("country", true),
    ...(region !== undefined && { regions: region }),
    ...((createdAt ?? updatedAt ?? startAt) && {
      createdAt: createdAt ?? updatedAt ?? startAt,
      updatedAt: updatedAt ?? createdAt ?? startAt,
    }),
    ...(startAt !== undefined && { startAt }),
    ...optionalTime("endAt", promo),
    minValue,
    maxValue: promo.number("maxValue", { isInteger: true }) || minValue,
    ...(english && { description: english }),
    descriptions: texts.filter(({ language }) => language !== english?.language),
  };
}

function optionalTime(field: string, promo: StatedRecord) {
  const time = promo.time(field);
  return time === undefined ? {} : { [field]: time };
}

function readText(text: StatedRecord): PromoDescription {
  return {
    description: text.text("description"),
    language: text.text("language").toLowerCase() || "en",
    terms: text.text("terms"),
  };
}
