/** Whether a title names its brand already. */
export function saysBrand(title: string, brandName: string): boolean {
  return title.toLowerCase().includes(brandName.toLowerCase());
}

/** An offer's title with its brand in front, unless the title says it already. */
export function offerTitle(brandName: string, title: string): string {
  return saysBrand(title, brandName) ? title : `${brandName} ${title}`;
}

/** An amount and its currency, or the limits of one: "25 GTQ", "5 to 500 GTQ", "GTQ 25". */
const AMOUNT = /\d[\d.,\s]*\s?([A-Z]{3})$|(?:^|\s)([A-Z]{3})\s?\d[\d.,]*$/;

/**
 * What a bundle or data pack holds, in the words of its title; undefined for a plain top-up, whose
 * title is just the amount. "100 SMS" is no amount: nothing is paid in SMS.
 */
export function offerContents(title: string): string | undefined {
  const match = AMOUNT.exec(title.trim());
  const unit = match?.[1] ?? match?.[2];
  return title.trim() === "" || (unit !== undefined && unit !== "SMS") ? undefined : title.trim();
}
