import { Type } from "typebox";
import { Input } from "../../../contract/common.ts";
import { type App, answers } from "../../../http/app-types.ts";
import type { UpstreamHooks } from "./upstream-hooks.ts";

const params = Input({ token: Type.String({ minLength: 1, maxLength: 128 }) });
const Nothing = Type.Object({});

export function registerHookRoutes(app: App, hooks: UpstreamHooks): void {
  // Receives the body as raw bytes, because the signature covers these bytes.
  app.removeContentTypeParser("application/json");
  app.addContentTypeParser(
    "application/json",
    { parseAs: "string" },
    async (_request: unknown, body: unknown) => body,
  );

  // Some gateways check that the address responds before they use it.
  app.head(
    "/upstream/:token",
    { schema: { hide: true, params, response: answers(Nothing) } },
    async (request) => {
      await hooks.check(request.params.token);
      return {};
    },
  );

  app.post(
    "/upstream/:token",
    { schema: { hide: true, params, response: answers(Nothing) } },
    async (request) => {
      const header = (name: string) => String(request.headers[name] ?? "");
      await hooks.receive(request.params.token, {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body: String(request.body),
      });
      return {};
    },
  );
}
