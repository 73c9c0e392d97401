import { createHash } from "node:crypto";
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
import type { Transactor } from "../../../db/transactor.ts";
import type { Clock } from "../../../lib/clock.ts";
import type { Logo } from "../../../lib/pdf/logo.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import { readLogo } from "./logo-picture.ts";

/** Image types that the PDF of the day report can embed. */
const PRINTABLE = ["image/png", "image/jpeg"] as const;

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
    const row = await this.#deps.db
      .selectFrom("shop_logos")
      .select(["media_type", "content"])
      .where("account_id", "=", accountId)
      .where("digest", "=", digest)
      .executeTakeFirst();
    if (!row) throw new Problem("NOT_FOUND", "There is no such logo.");
    return { type: row.media_type, content: row.content };
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
      await tx.deleteFrom("shop_logos").where("account_id", "=", accountId).execute();
      const row = { account_id: accountId, ...logo, media_type: type, content };
      await tx.insertInto("shop_logos").values(row).execute();
      await this.#note(tx, author, "shop.logo");
    });
    return { logo };
  }

  async remove(author: Author): Promise<ShopLogoState> {
    const { accountId } = author;
    await this.#deps.transactor.transact(accountId, async (tx) => {
      if (!(await findLogo(tx, accountId))) return;
      await tx.deleteFrom("shop_logos").where("account_id", "=", accountId).execute();
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

async function findLogo(db: Db | Tx, accountId: string): Promise<ShopLogo | undefined> {
  return db
    .selectFrom("shop_logos")
    .select(["digest", "width", "height"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
}

export async function findLogoPicture(db: Db | Tx, accountId: string): Promise<Logo | undefined> {
  const row = await db
    .selectFrom("shop_logos")
    .select(["media_type", "content", "width", "height"])
    .where("account_id", "=", accountId)
    .executeTakeFirst();
  return (
    row && { type: row.media_type, content: row.content, width: row.width, height: row.height }
  );
}
