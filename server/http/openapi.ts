import swagger from "@fastify/swagger";
import swaggerUi from "@fastify/swagger-ui";
import fastify, { type FastifyInstance, type RouteOptions } from "fastify";
import { FAMILIES, FAMILY_FACTS } from "../contract/pos/families.ts";
import { completeDocument, TAGGED } from "./openapi-document.ts";
import { OWN_COMPILERS } from "./serialization.ts";

/** Style of the page. Its darker colours make all text readable. */
const READABLE = `
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b5cad; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14713f; }
.swagger-ui .opblock.opblock-put .opblock-summary-method { background: #8a4b00; }
.swagger-ui .opblock.opblock-delete .opblock-summary-method { background: #b3261e; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5160; }
.swagger-ui .info a, .swagger-ui .info .base-url, .swagger-ui .info .url { color: #0b5cad; }
.swagger-ui .btn.authorize { color: #14713f; border-color: #14713f; }
.swagger-ui .btn.authorize svg { fill: #14713f; }
.swagger-ui .btn.execute { background: #0b5cad; border-color: #0b5cad; }
/* There is one server: the one that serves this page. */
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none; }
`;

const DESCRIPTION = `Prepaid products over REST: mobile top-ups, bundles and data, gift cards and utility
vouchers, eSIMs and bills, paid from a wallet.

Two environments, each with keys of its own: \`test\`, where nothing real is sent, and \`live\`. Send the key
with every request as \`Authorization: Bearer <API_KEY>\`.

A purchase is carried out after it was accepted: poll it by its \`transactionId\` until its status is \`DONE\` or
\`FAILED\`. Amounts are integers in minor units; divide by the divisor beside them to show them. Times are
RFC 3339, UTC.`;

/**
 * Builds the description and its page in a separate application, because few gateways need them.
 * @param routes routes of `/v1` and `/sandbox/v1`
 */
export async function makeDocs(
  routes: readonly RouteOptions[],
  version: string,
): Promise<FastifyInstance> {
  const docs = fastify({ exposeHeadRoutes: false, schemaController: OWN_COMPILERS });
  docs.setValidatorCompiler(() => () => true);
  docs.setSerializerCompiler(() => (data) => JSON.stringify(data));
  await docs.register(swagger, {
    convertConstToEnum: false,
    openapi: {
      openapi: "3.1.0",
      info: {
        title: "Tillgate gateway",
        version: "1.0.0",
        summary: `Served by Tillgate ${version}`,
        description: DESCRIPTION,
        license: { name: "MIT", identifier: "MIT" },
        contact: { name: "The owner of this gateway" },
      },
      servers: [{ url: "/", description: "This gateway" }],
      components: {
        securitySchemes: {
          ApiKey: {
            type: "http",
            scheme: "bearer",
            description:
              "A key of the test or of the live environment, or of a sandbox: test_…, live_… or sandbox_…",
          },
        },
      },
      security: [{ ApiKey: [] }],
      tags: [
        { name: "Account", description: "The wallet" },
        { name: "Brands", description: "Brands of the offers" },
        ...FAMILIES.map((family) => {
          const { tag, about } = FAMILY_FACTS[family];
          return { name: tag, description: about };
        }),
        { name: "Transactions", description: "Every movement of the wallet" },
        { name: "Promotions", description: "Temporary bonuses of carriers" },
        { name: "Tools", description: "Lookup of phone numbers" },
        { name: "Reports", description: "Finished transactions of a period, as a file" },
        {
          name: "Sandbox",
          description: "Clock, outcomes, wallet and webhook of a sandbox: 404 without its key",
        },
      ],
    },
    transform: ({ schema, url, route }) => ({
      schema: { ...schema, ...(route.config?.catalogAnswer && { [TAGGED]: true }) },
      url,
    }),
    transformObject: (described) => {
      if (!("openapiObject" in described)) throw new Error("the description is not OpenAPI 3");
      return completeDocument(described.openapiObject as never);
    },
  });
  await registerDocsPage(docs);
  for (const { method, url, schema, config = {} } of routes) {
    docs.route({ method, url, config, ...(schema && { schema }), handler: () => undefined });
  }
  await docs.ready();
  return docs;
}

/**
 * Serves the page at `/docs/api`, on which `/v1` can be tried with a key. Must be registered after the
 * description. The gateway's content security policy applies instead of the page's own, which is
 * less strict.
 */
async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: "/docs/api",
    theme: {
      title: "Tillgate API",
      css: [{ filename: "readable.css", content: READABLE }],
    },
    uiConfig: {
      // This layout has no bar for loading other descriptions.
      layout: "BaseLayout",
      docExpansion: "list",
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // The page does not store a typed key.
      persistAuthorization: false,
      validatorUrl: null,
    },
  });
}
