import { isSupportedCountry } from "libphonenumber-js/max";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import { tidyName } from "../../../contract/pos/name.ts";
import type { ShopChange, ShopFacts } from "../../../contract/pos/shop.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import { recordAudit, whatChanged } from "../../books/audit-trail/index.ts";
import { findShop, type Shop } from "./shop-store.ts";

interface ShopChangeDeps {
  transactor: Transactor;
  clock: Clock;
}

export function toShopFacts({ name, language, country, hasChosenCountry }: Shop): ShopFacts {
  return { name, language, country, chosenCountry: hasChosenCountry };
}

/**
 * Changes properties of the shop, and notifies the tills.
 * @throws Problem NOT_SET_UP, INVALID_REQUEST naming `country`
 */
export async function changeShop(
  { transactor, clock }: ShopChangeDeps,
  { accountId, staffId }: Author,
  change: ShopChange,
): Promise<ShopFacts> {
  const { country } = change;
  if (country !== undefined && country !== "" && !isSupportedCountry(country)) {
    throw new Problem("INVALID_REQUEST", `There is no country ${country}.`, {
      country: "must be a country such as GT",
    });
  }
  return transactor.transact(accountId, async (tx) => {
    const before = await findShop(tx, accountId);
    if (!before) throw new Problem("NOT_SET_UP", "The shop has not been set up yet.");
    const at = clock.now();
    const { language = before.language } = change;
    const name = change.name === undefined ? before.name : tidyName(change.name);
    await tx
      .updateTable("shops")
      .set({
        name,
        language,
        ...(country !== undefined && { country: country === "" ? null : country }),
        updated_at: at,
      })
      .where("account_id", "=", accountId)
      .execute();
    const after = await findShop(tx, accountId);
    if (!after) throw new Error("the changed shop is missing");
    const detail = whatChanged(toAuditDetail(before), toAuditDetail(after));
    if (Object.keys(detail).length === 0) return toShopFacts(after);
    const action = "settings.change";
    await recordAudit(tx, { accountId, staffId, action, subject: accountId, detail, at });
    for (const environment of ENVIRONMENTS) {
      await recordChange(tx, { accountId, environment }, { topic: "shop", subject: accountId, at });
    }
    return toShopFacts(after);
  });
}

function toAuditDetail({ name, language, country }: Shop) {
  return { shopName: name, language, country };
}
