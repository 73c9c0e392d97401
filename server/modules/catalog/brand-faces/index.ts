import { createHash } from "node:crypto";
import { ENVIRONMENTS } from "../../../contract/common.ts";
import { glyphOfBrand } from "../../../contract/faces/glyph-of-brand.ts";
import type { Author } from "../../../contract/pos/actor.ts";
import type { AuditAction } from "../../../contract/pos/audit-trail.ts";
import {
  type BrandFaces,
  type BrandFacts,
  LARGEST_BRAND_LOGO,
  MOST_BRAND_LOGOS,
} from "../../../contract/pos/brand-faces.ts";
import { Problem } from "../../../contract/problem.ts";
import { recordChangeInBoth, type Scope } from "../../../db/changes.ts";
import type { Db, Tx } from "../../../db/database.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import { recordAudit } from "../../books/audit-trail/index.ts";
import type { Base, Module } from "../../module.ts";
import { readLogo, readLogoFile, replaceLogo } from "../../shop/shop/index.ts";
import type { CatalogService } from "../catalog/index.ts";

type BrandFacesModuleDeps = Base & { catalog: CatalogService };

export function createBrandFacesModule(deps: BrandFacesModuleDeps) {
  const brandFaces = new BrandFaceService(deps);
  return {
    services: { brandFaces },
    pos: (app) =>
      registerBrandFaceRoutes(app, {
        accountId: deps.accountId,
        brandFaces,
      }),
  } satisfies Module;
}

/** Blocks a picture's scripts when a browser opens the picture as a page. */
const PICTURE_POLICY = "default-src 'none'; sandbox";

async function registerBrandFaceRoutes(
  app: App,
  { accountId, brandFaces }: { accountId: string; brandFaces: BrandFaceService },
): Promise<void> {
  const { brandFaceOperations } = await import("../../../contract/pos/brand-faces.ts");
  handle(app, brandFaceOperations.list, ({ actor }) => brandFaces.list(actor));

  // Browsers may cache the picture for a year, because its address contains its digest.
  handle(app, brandFaceOperations.readLogo, async ({ params, reply }) => {
    const { type, content } = await brandFaces.readLogo(accountId, params.digest);
    reply
      .type(type)
      .header("cache-control", "private, max-age=31536000, immutable")
      .header("content-security-policy", PICTURE_POLICY);
    return reply.send(Buffer.from(content));
  });

  handle(app, brandFaceOperations.setLogo, ({ actor, params, body }) =>
    brandFaces.setLogo(actor, params.brand, body.content),
  );

  handle(app, brandFaceOperations.removeLogo, ({ actor, params }) =>
    brandFaces.removeLogo(actor, params.brand),
  );
}

type Snapshot = Awaited<ReturnType<CatalogService["getSnapshot"]>>;

export class BrandFaceService {
  readonly #deps: BrandFacesModuleDeps;
  /** Brand facts, computed once per snapshot so that no request scans all offers. */
  readonly #drawn = new WeakMap<Snapshot, readonly BrandFacts[]>();

  constructor(deps: BrandFacesModuleDeps) {
    this.#deps = deps;
  }

  async list(scope: Scope): Promise<BrandFaces> {
    const { catalog, db } = this.#deps;
    const snapshot = await catalog.getSnapshot(scope);
    const drawn = this.#drawn.get(snapshot) ?? listBrandFacts(snapshot);
    this.#drawn.set(snapshot, drawn);
    const logos = await listDigests(db, scope.accountId);
    return {
      list: drawn.map((facts) => {
        const logo = logos.get(facts.brand);
        return logo === undefined ? facts : { ...facts, logo };
      }),
    };
  }

  /** @throws Problem NOT_FOUND if no brand has this logo */
  readLogo(accountId: string, digest: string) {
    return readLogoFile(this.#deps.db, accountId, digest);
  }

  /** @throws Problem INVALID_REQUEST naming `content`, NOT_FOUND if no catalog has the brand */
  async setLogo(author: Author, brand: string, base64: string): Promise<{ logo: string }> {
    const content = Buffer.from(base64, "base64");
    const { type, width, height } = readLogo(content, {
      largestBytes: LARGEST_BRAND_LOGO,
      accepted: ["image/png", "image/jpeg", "image/webp"],
    });
    const { accountId } = author;
    await this.#requireBrand(accountId, brand);
    const digest = createHash("sha256").update(content).digest("hex");
    await this.#deps.transactor.transact(accountId, async (tx) => {
      const known = await listDigests(tx, accountId);
      if (known.get(brand) === digest) return;
      if (!known.has(brand) && known.size >= MOST_BRAND_LOGOS) {
        const why = `only ${MOST_BRAND_LOGOS} brands can have a logo of their own`;
        throw new Problem("INVALID_REQUEST", `It was not taken: ${why}.`, { content: why });
      }
      const logo = { digest, media_type: type, width, height, content };
      await replaceLogo(tx, accountId, brand, logo);
      await this.#note(tx, author, "brand.logo", brand);
    });
    return { logo: digest };
  }

  async removeLogo(author: Author, brand: string): Promise<object> {
    const { accountId } = author;
    await this.#deps.transactor.transact(accountId, async (tx) => {
      if (!(await listDigests(tx, accountId)).has(brand)) return;
      await replaceLogo(tx, accountId, brand, undefined);
      await this.#note(tx, author, "brand.no-logo", brand);
    });
    return {};
  }

  async #requireBrand(accountId: string, brand: string): Promise<void> {
    for (const environment of ENVIRONMENTS) {
      const { brands } = await this.#deps.catalog.getSnapshot({ accountId, environment });
      if (brands.has(brand)) return;
    }
    throw new Problem("NOT_FOUND", "There is no such brand.");
  }

  async #note(
    tx: Tx,
    { accountId, staffId }: Author,
    action: AuditAction,
    subject: string,
  ): Promise<void> {
    const at = this.#deps.clock.now();
    await recordAudit(tx, { accountId, staffId, action, subject, at });
    await recordChangeInBoth(tx, accountId, { topic: "shop", subject: accountId, at });
  }
}

function listBrandFacts({ offers, brands }: Snapshot): readonly BrandFacts[] {
  const byBrand = Map.groupBy(offers, ({ brand }) => brand);
  return [...byBrand].map(([brand, of]) => {
    const { brandName = brand, brandColor = "" } = brands.get(brand) ?? {};
    return { brand, brandName, brandColor, glyph: glyphOfBrand(of) };
  });
}

async function listDigests(db: Db | Tx, accountId: string): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom("logos")
    .select(["brand", "digest"])
    .where("account_id", "=", accountId)
    .where("brand", "!=", "")
    .execute();
  return new Map(rows.map(({ brand, digest }) => [brand, digest]));
}
