import type { SaleLink } from "../ipc/ipc-map.ts";

/** Scheme of `tillgate:` links, registered with the system. */
export const LINK_SCHEME = "tillgate";

/** A sale's number or id. A link never performs an action. */
const LINK =
  /^tillgate:(?:\/\/)?sale\/(?:([1-9]\d{0,8})|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))\/?$/i;

/** @returns undefined for any other text */
export function readSaleLink(text: string): SaleLink | undefined {
  const [, number, saleId] = LINK.exec(text) ?? [];
  if (number !== undefined) return { number };
  return saleId === undefined ? undefined : { saleId: saleId.toLowerCase() };
}

export function linkAmong(args: readonly string[]): SaleLink | undefined {
  for (const argument of args) {
    const link = readSaleLink(argument);
    if (link) return link;
  }
  return undefined;
}
