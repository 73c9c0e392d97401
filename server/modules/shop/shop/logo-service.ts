import { createHash } from "node:crypto";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  LARGEST_LOGO,
  LOGO_PIXELS,
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

export interface LogoPicture {
  type: "image/png" | "image/jpeg";
  width: number;
  height: number;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
/** The segments of a JPEG that say its size: without arithmetic coding, which browsers do not read. */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const JPEG_START = 0xd8;

/**
 * What a picture is, by its own bytes. An SVG can hold scripts: it is none of the two that are taken.
 * @throws Problem INVALID_REQUEST naming `content`
 */
function readLogo(bytes: Buffer): LogoPicture {
  if (bytes.length > LARGEST_LOGO) throw unfit(`must have at most ${LARGEST_LOGO / 1024} KB`);
  const picture = readPng(bytes) ?? readJpeg(bytes);
  if (!picture) throw unfit("must be a PNG or JPEG picture");
  requireLogoSize(picture);
  return picture;
}

/** @throws Problem INVALID_REQUEST naming `content`, where it is too small to be seen or too large to be needed */
export function requireLogoSize({ width, height }: Pick<LogoPicture, "width" | "height">): void {
  const { least, most } = LOGO_PIXELS;
  if ([width, height].some((pixels) => pixels < least || pixels > most)) {
    throw unfit(`must be ${least} to ${most} pixels wide and high, and is ${width} × ${height}`);
  }
}

/** Undefined for what is no whole PNG. */
export function readPng(bytes: Buffer): LogoPicture | undefined {
  const isPng = PNG.every((byte, at) => bytes[at] === byte);
  const isWhole = bytes.length > PNG_HEIGHT_AT + 4 && bytes.includes("IEND");
  if (!isPng || !isWhole || bytes.toString("latin1", 12, PNG_WIDTH_AT) !== "IHDR") return undefined;
  const [width, height] = [bytes.readUInt32BE(PNG_WIDTH_AT), bytes.readUInt32BE(PNG_HEIGHT_AT)];
  return { type: "image/png", width, height };
}

/** Segment by segment, until the one that says the size. */
function readJpeg(bytes: Buffer): LogoPicture | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_START) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (JPEG_FRAMES.has(marker)) {
      const [height, width] = [bytes.readUInt16BE(at + 5), bytes.readUInt16BE(at + 7)];
      return { type: "image/jpeg", width, height };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Why a picture is no logo, in words that go on with "it". */
export function unfit(why: string): Problem {
  return new Problem("INVALID_REQUEST", `This picture cannot be the logo: it ${why}.`, {
    content: why,
  });
}

interface LogoServiceDeps {
  db: Db;
  transactor: Transactor;
  clock: Clock;
}

/** The shop's logo, kept in the database: every backup has it (rules#shop-logo). */
export class LogoService {
  readonly #deps: LogoServiceDeps;

  constructor(deps: LogoServiceDeps) {
    this.#deps = deps;
  }

  /** @throws Problem NOT_FOUND where another one, or none, is in use */
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
    const { type, width, height } = readLogo(content);
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

  /** Tills are notified at once. */
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

/** The logo in use, with its bytes. */
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
