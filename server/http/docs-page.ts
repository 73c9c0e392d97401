import swaggerUi from "@fastify/swagger-ui";
import type { FastifyInstance } from "fastify";

/** Darker than the page's own colours, so that every word on it can be read. */
const READABLE = `
.swagger-ui .opblock.opblock-get .opblock-summary-method { background: #0b5cad; }
.swagger-ui .opblock.opblock-post .opblock-summary-method { background: #14713f; }
.swagger-ui .info .title small, .swagger-ui .info .title small.version-stamp { background: #4a5160; }
.swagger-ui .info a, .swagger-ui .info .base-url, .swagger-ui .info .url { color: #0b5cad; }
.swagger-ui .btn.authorize { color: #14713f; border-color: #14713f; }
.swagger-ui .btn.authorize svg { fill: #14713f; }
.swagger-ui .btn.execute { background: #0b5cad; border-color: #0b5cad; }
/* There is one server: the one that serves this page. */
.swagger-ui .scheme-container .schemes > .schemes-server-container { display: none; }
`;

/**
 * The page at `/docs`, where `/v1` can be tried with a key; register after its description. Everything
 * on it comes from the gateway, and the gateway's own content security policy holds: it is stricter
 * than the one the page would bring.
 */
export async function registerDocsPage(app: FastifyInstance): Promise<void> {
  await app.register(swaggerUi, {
    routePrefix: "/docs",
    theme: {
      title: "Tillgate API",
      css: [{ filename: "readable.css", content: READABLE }],
    },
    uiConfig: {
      // Without the bar that loads descriptions from elsewhere.
      layout: "BaseLayout",
      docExpansion: "list",
      defaultModelsExpandDepth: 0,
      displayRequestDuration: true,
      tryItOutEnabled: true,
      // A key typed here is gone with the page.
      persistAuthorization: false,
      validatorUrl: null,
    },
  });
}
