import type { SaleLink } from "../ipc/ipc-map.ts";

export const LINK_SCHEME = "tillgate";

/** A sale's number or id. A link only shows a sale; it never performs an action. */
const LINK =
  /^tillgate:(?:\/\/)?sale\/(?:([1-9]\d{0,8})|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))\/?$/i;

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
