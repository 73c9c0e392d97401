import type { SaleLink } from "../ipc/ipc-map.ts";

/** What `tillgate:` links begin with, in the system's list of programs. */
export const LINK_SCHEME = "tillgate";

/** A sale's number, or its id: nothing else has a meaning, and nothing is ever done by a link. */
const LINK =
  /^tillgate:(?:\/\/)?sale\/(?:([1-9]\d{0,8})|([\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))\/?$/i;

/** @returns undefined for anything but a link to a sale */
export function readSaleLink(text: string): SaleLink | undefined {
  const [, number, saleId] = LINK.exec(text) ?? [];
  if (number !== undefined) return { number };
  return saleId === undefined ? undefined : { saleId: saleId.toLowerCase() };
}

/** The link that the system started the program with, among its arguments. */
export function linkAmong(args: readonly string[]): SaleLink | undefined {
  for (const argument of args) {
    const link = readSaleLink(argument);
    if (link) return link;
  }
  return undefined;
}
