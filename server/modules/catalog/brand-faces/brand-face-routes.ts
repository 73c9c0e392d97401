import { brandFaceOperations } from "../../../contract/pos/brand-faces.ts";
import type { App } from "../../../http/app-types.ts";
import { handle } from "../../../http/pos-operations.ts";
import type { BrandFaceService } from "./brand-face-service.ts";

/** Blocks a picture's scripts when a browser opens the picture as a page. */
const PICTURE_POLICY = "default-src 'none'; sandbox";

export function registerBrandFaceRoutes(
  app: App,
  { accountId, brandFaces }: { accountId: string; brandFaces: BrandFaceService },
): void {
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
