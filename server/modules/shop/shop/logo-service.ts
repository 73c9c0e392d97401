import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  LARGEST_LOGO,
  type ShopLogo,
  type ShopLogoState,
} from "../../../contract/pos/shop-logo.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChange } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Logo } from "../../../lib/pdf/logo.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { readLogo } from "./logo-picture.ts";

/** Image types that the PDF of the day report can embed. */
const PRINTABLE = ["image/png", "image/jpeg"] as const;

/** Value of the column `brand` for the logo of the shop. */
const OF_SHOP = "";

interface LogoServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
}

/**
 * Manages the shop's logo, which is in the database so that backups contain it (rules#shop-logo).
 */
export class LogoService {
  readonly #deps: LogoServiceDeps;

  constructor(deps: LogoServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_FOUND if the present logo has a different digest */
  async read(accountId: string, digest: string): Promise<{ type: string; content: Uint8Array }> {
    return readLogoFile(this.#deps.db, accountId, digest);
  }

  /** @throws Problem INVALID_REQUEST naming `content` */
  async set(author: Author, base64: string): Promise<ShopLogoState> {
    const content = Buffer.from(base64, "base64");
    const { type, width, height } = readLogo(content, {
      largestBytes: LARGEST_LOGO,
      accepted: PRINTABLE,
    });
    const digest = createHash("sha256").update(content).digest("hex");
    const logo = { digest, width, height };
    const { accountId } = author;
    await this.#deps.transactor.transact(accountId, async (tx) => {
      if ((await findLogo(tx, accountId))?.digest === digest) return;
      await replaceLogo(tx, accountId, OF_SHOP, { ...logo, media_type: type, content });
      await this.#note(tx, author, "shop.logo");
    });
    return { logo };
  }

  async remove(author: Author): Promise<ShopLogoState> {
    const { accountId } = author;
    await this.#deps.transactor.transact(accountId, async (tx) => {
      if (!(await findLogo(tx, accountId))) return;
      await replaceLogo(tx, accountId, OF_SHOP, undefined);
      await this.#note(tx, author, "shop.no-logo");
    });
    return {};
  }

  async #note(tx: Tx, { accountId, staffId }: Author, action: AuditAction): Promise<void> {
    const at = this.#deps.clock.now();
    await recordAudit(tx, { accountId, staffId, action, subject: accountId, at });
    for (const environment of ENVIRONMENTS) {
      await recordChange(tx, { accountId, environment }, { topic: "shop", subject: accountId, at });
    }
  }
}

/**
 * Reads a logo of the shop or of a brand.
 * @throws Problem NOT_FOUND if no present logo has the digest
 */
export async function readLogoFile(
  db: Db,
  accountId: string,
  digest: string,
): Promise<{ type: string; content: Uint8Array }> {
  const row = await db
    .selectFrom("logos")
    .select(["media_type", "content"])
    .where("account_id", "=", accountId)
    .where("digest", "=", digest)
    .executeTakeFirst();
  if (!row) throw new Problem("NOT_FOUND", "There is no such logo.");
  return { type: row.media_type, content: row.content };
}

/** @param brand empty for the logo of the shop */
export async function replaceLogo(
  tx: Tx,
  accountId: string,
  brand: string,
  logo: Omit<Insertable<Tables["logos"]>, "account_id" | "brand"> | undefined,
): Promise<void> {
  await tx
    .deleteFrom("logos")
    .where("account_id", "=", accountId)
    .where("brand", "=", brand)
    .execute();
  if (!logo) return;
  await tx
    .insertInto("logos")
    .values({ account_id: accountId, brand, ...logo })
    .execute();
}

async function findLogo(db: Db | Tx, accountId: string): Promise<ShopLogo | undefined> {
  return db
    .selectFrom("logos")
    .select(["digest", "width", "height"])
    .where("account_id", "=", accountId)
    .where("brand", "=", OF_SHOP)
    .executeTakeFirst();
}

export async function findLogoPicture(db: Db | Tx, accountId: string): Promise<Logo | undefined> {
  const row = await db
    .selectFrom("logos")
    .select(["media_type", "content", "width", "height"])
    .where("account_id", "=", accountId)
    .where("brand", "=", OF_SHOP)
    .executeTakeFirst();
  return (
    row && { type: row.media_type, content: row.content, width: row.width, height: row.height }
  );
}
