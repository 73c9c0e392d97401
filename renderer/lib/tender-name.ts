import { FIRST_TENDERS, type ShopTender } from "../../server/contract/pos/shop-tenders.ts";
import { type TenderKind, tenderIdOf } from "../../server/contract/pos/tenders.ts";
import type { Translate } from "./i18n.ts";

interface Named {
  readonly kind: TenderKind;
  readonly name?: string | undefined;
}

export function tenderName({ kind, name }: Named, t: Translate): string {
  return name ?? t(`counter.tender.${kind}`);
}

type Which = Pick<ShopTender, "kind"> & Partial<Pick<ShopTender, "tenderId">>;

export function namedNow<Tender extends Which>(
  tender: Tender,
  tenders: readonly ShopTender[] = FIRST_TENDERS,
): Tender & { readonly name?: string } {
  const name = tenders.find(({ tenderId }) => tenderId === tenderIdOf(tender))?.name;
  return name === undefined ? tender : { ...tender, name };
}

export function opensDrawer(
  tender: Which,
  tenders: readonly ShopTender[] = FIRST_TENDERS,
): boolean {
  return tenders.some((one) => one.tenderId === tenderIdOf(tender) && one.opensDrawer);
}
