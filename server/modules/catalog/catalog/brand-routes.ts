import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { Input } from "../../../contract/common.ts";
import { FACE_SHAPE, type FacedBrand, faceOf } from "../../../contract/faces/face.ts";
import { Problem } from "../../../contract/problem.ts";
import {
  BrandDetail,
  BrandPage,
  BrandParams,
  BrandQuery,
  RedemptionInstructions,
  RedemptionQuery,
} from "../../../contract/v1/brands.ts";
import { type App, answers, clientOf } from "../../../http/app-types.ts";
import { CATALOG_ANSWER } from "../../../http/catalog-answers.ts";
import type { BrandService } from "./brand-service.ts";

const PICTURES = {
  "logo.svg": { width: 100, height: 100, radius: 18 },
  "big.svg": { width: 200, height: 100, radius: 0 },
  "gift.svg": { ...FACE_SHAPE, radius: 6 },
} as const;

type Picture = keyof typeof PICTURES;

/** Pixels per unit of the layout. */
const SCALE = 4;
const FONTS = "IBM Plex Sans, IBM Plex Sans Arabic, system-ui, sans-serif";
const XML: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/** Returns an SVG that depends only on the brand and loads no external resources. */
function drawBrand(brand: FacedBrand, picture: Picture): string {
  const { width, height, radius } = PICTURES[picture];
  const { ground, ink, glyph, name } = faceOf(brand, "CARD", { width, height });
  const lines = name.lines.map(
    ({ text, x, y }) =>
      `<text x="${x}" y="${y}"${
        name.isRightToLeft ? ' direction="rtl"' : ""
      }>${escaped(text)}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width * SCALE}" height="${height * SCALE}" role="img">
  <title>${escaped(brand.brandName)}</title>
  <rect width="${width}" height="${height}" rx="${radius}" fill="${ground}"/>
  <path d="${glyph.path}" transform="${glyph.transform}" fill="none" stroke="${ink}"
    stroke-width="${glyph.stroke}" stroke-linecap="round" stroke-linejoin="round"/>
  <g font-family="${FONTS}" font-weight="600" font-size="${name.size}" fill="${ink}">${lines.join("")}</g>
</svg>
`;
}

function escaped(text: string): string {
  return text.replace(/[&<>"]/g, (character) => XML[character] ?? "");
}

const tags = ["Brands"];

export function registerBrandRoutes(app: App, brands: BrandService): void {
  app.get(
    "/brands",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "listBrands",
        summary: "List brands",
        tags,
        querystring: BrandQuery,
        response: answers(BrandPage),
      },
    },
    async (request) => {
      const { _limit: limit, _offset: offset, country } = request.query;
      const found = await brands.list(clientOf(request), country, { limit, offset });
      return { limit, offset, ...found };
    },
  );

  app.get(
    "/brands/:brand",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "getBrand",
        summary: "Get a brand",
        tags,
        params: BrandParams,
        response: answers(BrandDetail),
      },
    },
    async (request) => {
      const detail = await brands.get(clientOf(request), request.params.brand);
      return withAbsoluteLinks(detail, request);
    },
  );

  app.get(
    "/brands/:brand/redemptionInstructions",
    {
      config: CATALOG_ANSWER,
      schema: {
        operationId: "getRedemptionInstructions",
        summary: "Get how a brand's products are redeemed",
        description: "In English where the language asked for is not there.",
        tags,
        params: BrandParams,
        querystring: RedemptionQuery,
        response: answers(RedemptionInstructions),
      },
    },
    (request) =>
      brands.getRedemptionInstructions(clientOf(request), request.params.brand, request.query),
  );
}

/** Serves the pictures without an API key, because web pages link to them. */
export function registerBrandPictures(app: App, brands: BrandService, accountId: string): void {
  app.get(
    "/brands/:brand/:picture",
    {
      schema: {
        hide: true,
        params: Input({
          ...BrandParams.properties,
          picture: Type.String({ minLength: 1, maxLength: 16 }),
        }),
      },
    },
    async (request, reply) => {
      const { brand, picture } = request.params;
      if (!isPicture(picture)) throw new Problem("NOT_FOUND", `There is no picture ${picture}.`);
      const faced = await brands.getFaced(accountId, brand);
      reply.type("image/svg+xml").header("cache-control", "public, max-age=86400");
      return drawBrand(faced, picture);
    },
  );
}

function isPicture(name: string): name is Picture {
  return Object.hasOwn(PICTURES, name);
}

function withAbsoluteLinks(detail: BrandDetail, request: FastifyRequest): BrandDetail {
  const origin = `${request.protocol}://${request.headers.host}`;
  const absolute = (link: string) => (link.startsWith("/") ? origin + link : link);
  return {
    ...detail,
    brandBigImage: absolute(detail.brandBigImage),
    brandGiftImage: absolute(detail.brandGiftImage),
    brandLogo: absolute(detail.brandLogo),
    redemptionInstructions: detail.redemptionInstructions.map((item) => ({
      ...item,
      link: absolute(item.link),
    })),
  };
}
