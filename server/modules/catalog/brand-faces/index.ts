import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { Base, Module } from "../../module.ts";
import type { CatalogService } from "../catalog/index.ts";
import { BrandFaceService } from "./brand-face-service.ts";

export type { BrandFaceService } from "./brand-face-service.ts";

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
