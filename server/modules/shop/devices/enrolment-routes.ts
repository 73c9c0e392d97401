import { createHash, X509Certificate } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Problem } from "../../../contract/problem.ts";
import type { App } from "../../../http/app-types.ts";
import { setKeyCookie } from "../../../http/device-guard.ts";
import type { DeviceService } from "./device-service.ts";
import { enrolmentPage, FILL_SCRIPT, languageOf } from "./enrolment-page.ts";

/** Nothing is run on this page but the script that it was made with. */
const PAGE_POLICY = [
  "default-src 'none'",
  `script-src 'sha256-${createHash("sha256").update(FILL_SCRIPT).digest("base64")}'`,
  "style-src 'unsafe-inline'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join(";");

const HIDDEN = { schema: { hide: true } };

/** What a device of the network sees before it is let in: on the tills' listener only. */
export function registerEnrolment(app: App, devices: DeviceService): void {
  app.addContentTypeParser(
    "application/x-www-form-urlencoded",
    { parseAs: "string", bodyLimit: 1_024 },
    (_request, text, done) => done(null, new URLSearchParams(String(text))),
  );
  app.get("/enrol", HIDDEN, (request, reply) => show(devices, request, reply));
  app.get("/authority.crt", HIDDEN, (_request, reply) => {
    const { authority } = devices;
    if (authority === undefined) {
      throw new Problem("NOT_FOUND", "The certificate is not the shop's.");
    }
    const bytes = new X509Certificate(authority).raw;
    return reply.type("application/x-x509-ca-cert").send(bytes);
  });
  app.post("/enrol", { schema: { hide: true, body: {} } }, async (request, reply) => {
    const { body } = request;
    const code = body instanceof URLSearchParams ? (body.get("code") ?? "") : "";
    try {
      setKeyCookie(reply, await devices.enrol(code, request.ip));
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      reply.status(error.status);
      return show(devices, request, reply, error.status === 429 ? "MANY" : "WRONG");
    }
    return reply.redirect("/", 303);
  });
}

function show(
  { authority }: DeviceService,
  { headers }: FastifyRequest,
  reply: FastifyReply,
  fault?: "WRONG" | "MANY",
) {
  const language = languageOf(headers["accept-language"] ?? "");
  const fingerprint = authority && new X509Certificate(authority).fingerprint256;
  const page = enrolmentPage({ language, fingerprint, ...(fault && { fault }) });
  return (
    reply
      .type("text/html; charset=utf-8")
      .header("cache-control", "no-store")
      .header("content-security-policy", PAGE_POLICY)
      // Under "no-referrer" browsers send the form with "Origin: null", which is refused.
      .header("referrer-policy", "same-origin")
      .send(page)
  );
}
