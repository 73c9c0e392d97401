import { Promo, type PromoDescription } from "../../contract/v1/promos.ts";
import { type NoteUnknown, readLiberally } from "./liberal-reading.ts";

/** A promotion as it was read, with the languages that came with it. */
export interface ReadPromo {
  id?: unknown;
  description?: { language?: unknown };
  descriptions: Partial<PromoDescription>[];
}

/**
 * A promotion of another gateway (rules#upstream-liberal-reading): its description is one, or a list of one for each
 * language; its region is one, or a list of which we keep the first.
 */
export function readPromo(stated: unknown, note: NoteUnknown): ReadPromo {
  if (typeof stated !== "object" || stated === null) return { descriptions: [] };
  const promo: Record<string, unknown> = { ...stated };
  const known: readonly unknown[] = Promo.properties.regions.enum;
  const regions = listOf(promo.regions);
  promo.regions = regions.find((region) => known.includes(region)) ?? regions[0];
  const texts = listOf(promo.description);
  const english = texts.find((text) => languageOf(text) === "en") ?? texts[0];
  const read = readLiberally(Promo, { ...promo, description: english }, note) as object;
  const { description } = Promo.properties;
  const others = texts
    .filter((text) => text !== english && languageOf(text) !== languageOf(english))
    .map((text) => readLiberally(description, text, note) as Partial<PromoDescription>);
  return { ...read, descriptions: others };
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? (value as unknown[]) : [value];
}

function languageOf(text: unknown): unknown {
  return (text as { language?: unknown } | null | undefined)?.language;
}
