import { createHash } from "node:crypto";
import type { Insertable } from "kysely";
import type { Author } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  LARGEST_LOGO,
  LOGO_PIXELS,
  type ShopLogo,
  type ShopLogoState,
} from "../../../contract/pos/shop-logo.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChangeInBoth } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { Tables } from "../../../db/tables.ts";
import type { Logo } from "../../../lib/pdf/logo.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base } from "../../module.ts";

/** Image types that the PDF of the day report can embed. */
const PRINTABLE = ["image/png", "image/jpeg"] as const;

/** Value of the column `brand` for the logo of the shop. */
const OF_SHOP = "";

type LogoServiceDeps = Pick<Base, "db" | "transactor" | "clock">;

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
    await recordChangeInBoth(tx, accountId, { topic: "shop", subject: accountId, at });
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

const TYPES = {
  "image/png": { name: "PNG", read: readPng },
  "image/jpeg": { name: "JPEG", read: readJpeg },
  "image/webp": { name: "WebP", read: readWebp },
} as const;

type LogoType = keyof typeof TYPES;

interface Size {
  width: number;
  height: number;
}

interface LogoPicture<Type extends LogoType> extends Size {
  type: Type;
}

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];
const PNG_WIDTH_AT = 16;
const PNG_HEIGHT_AT = 20;
/**
 * Markers of JPEG segments with the image's size, except for arithmetic coding, which browsers do
 * not decode.
 */
const JPEG_FRAMES = new Set([0xc0, 0xc1, 0xc2]);
const JPEG_START = 0xd8;
const WEBP_CHUNK_AT = 12;
const WEBP_DATA_AT = 20;
const WEBP_HEAD = 30;
const FOURTEEN_BITS = 0x3fff;

/**
 * Reads the type and the size of an image. SVG is refused because it can contain scripts; the till
 * converts it to a PNG before the upload.
 * @throws Problem INVALID_REQUEST naming `content`
 */
export function readLogo<Type extends LogoType>(
  bytes: Buffer,
  { largestBytes, accepted }: { largestBytes: number; accepted: readonly Type[] },
): LogoPicture<Type> {
  if (bytes.length > largestBytes) throw unfit(`must have at most ${largestBytes / 1024} KB`);
  for (const type of accepted) {
    const size = TYPES[type].read(bytes);
    if (!size) continue;
    requireLogoSize(size);
    return { type, ...size };
  }
  const names = accepted.map((type) => TYPES[type].name);
  const list = new Intl.ListFormat("en", { type: "disjunction" }).format(names);
  throw unfit(`must be a ${list} picture: export a picture of another format as PNG`);
}

function requireLogoSize({ width, height }: Size): void {
  const { least, most } = LOGO_PIXELS;
  if ([width, height].some((pixels) => pixels < least || pixels > most)) {
    throw unfit(`must be ${least} to ${most} pixels wide and high, and is ${width} × ${height}`);
  }
}

function readPng(bytes: Buffer): Size | undefined {
  const isPng = PNG.every((byte, at) => bytes[at] === byte);
  const isWhole = bytes.length > PNG_HEIGHT_AT + 4 && bytes.includes("IEND");
  if (!isPng || !isWhole || bytes.toString("latin1", 12, PNG_WIDTH_AT) !== "IHDR") return undefined;
  return { width: bytes.readUInt32BE(PNG_WIDTH_AT), height: bytes.readUInt32BE(PNG_HEIGHT_AT) };
}

function readJpeg(bytes: Buffer): Size | undefined {
  if (bytes[0] !== 0xff || bytes[1] !== JPEG_START) return undefined;
  for (let at = 2; at + 9 <= bytes.length; ) {
    const marker = bytes[at + 1] ?? 0;
    if (bytes[at] !== 0xff) return undefined;
    if (JPEG_FRAMES.has(marker)) {
      return { width: bytes.readUInt16BE(at + 7), height: bytes.readUInt16BE(at + 5) };
    }
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Reads the size by RFC 9649, sections 2.5 (lossy), 2.6 (lossless) and 2.7 (extended). */
function readWebp(bytes: Buffer): Size | undefined {
  const isWebp =
    bytes.toString("latin1", 0, 4) === "RIFF" && bytes.toString("latin1", 8, 12) === "WEBP";
  if (!isWebp || bytes.length < WEBP_HEAD || bytes.length < bytes.readUInt32LE(4) + 8) {
    return undefined;
  }
  switch (bytes.toString("latin1", WEBP_CHUNK_AT, WEBP_CHUNK_AT + 4)) {
    case "VP8 ":
      return {
        width: bytes.readUInt16LE(WEBP_DATA_AT + 6) & FOURTEEN_BITS,
        height: bytes.readUInt16LE(WEBP_DATA_AT + 8) & FOURTEEN_BITS,
      };
    case "VP8L": {
      const packed = bytes.readUInt32LE(WEBP_DATA_AT + 1);
      return {
        width: (packed & FOURTEEN_BITS) + 1,
        height: ((packed >> 14) & FOURTEEN_BITS) + 1,
      };
    }
    case "VP8X":
      return {
        width: bytes.readUIntLE(WEBP_DATA_AT + 4, 3) + 1,
        height: bytes.readUIntLE(WEBP_DATA_AT + 7, 3) + 1,
      };
    default:
      return undefined;
  }
}

/** @param why predicate of a sentence whose subject is the image */
function unfit(why: string): Problem {
  return new Problem("INVALID_REQUEST", `This picture cannot be the logo: it ${why}.`, {
    content: why,
  });
}
