import swagger from "@fastify/swagger";
import type { App } from "./app-types.ts";

/** Describes `/v1` from the schemas of its routes; register before them. */
export async function registerOpenApi(app: App, version: string): Promise<void> {
  await app.register(swagger, {
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tillgate gateway",
        version: "1.0.0",
        description: `Prepaid products over REST, served by Tillgate ${version}.`,
        license: { name: "MIT", identifier: "MIT" },
      },
      servers: [{ url: "/", description: "This gateway" }],
      components: { securitySchemes: { ApiKey: { type: "http", scheme: "bearer" } } },
      security: [{ ApiKey: [] }],
      tags: [
        { name: "Account", description: "The wallet" },
        { name: "Brands", description: "Who stands behind the offers" },
        { name: "Topups", description: "Mobile top-ups, bundles and data" },
        { name: "Vouchers", description: "Digital gift cards and utility payments" },
        { name: "Transactions", description: "Every movement of the wallet" },
        { name: "Promotions", description: "What carriers add for a while" },
      ],
    },
    transform: ({ schema, url }) => ({
      schema: url.startsWith("/v1/") ? schema : { ...schema, hide: true },
      url,
    }),
  });
}
