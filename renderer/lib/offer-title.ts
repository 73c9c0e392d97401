import { isolateNamed, isolateText } from "./direction.ts";

function saysBrand(title: string, brandName: string): boolean {
  return title.toLowerCase().includes(brandName.toLowerCase());
}

export function offerTitle(brandName: string, title: string, locale: string): string {
  return saysBrand(title, brandName)
    ? isolateText(title, locale)
    : isolateNamed(brandName, title, locale);
}

/** An amount or two limits, with the currency: "25 GTQ", "5 to 500 GTQ", "GTQ 25". */
const AMOUNT = /\d[\d.,\s]*\s?([A-Z]{3})$|(?:^|\s)([A-Z]{3})\s?\d[\d.,]*$/;

/**
 * Returns the contents of a bundle or data pack from its title; undefined for a plain top-up, whose
 * title is only the amount. "100 SMS" is no amount, because SMS is no currency.
 */
export function offerContents(title: string): string | undefined {
  const match = AMOUNT.exec(title.trim());
  const unit = match?.[1] ?? match?.[2];
  return title.trim() === "" || (unit !== undefined && unit !== "SMS") ? undefined : title.trim();
}
