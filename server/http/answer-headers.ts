import type { FastifyReply, FastifyRequest } from "fastify";
import { doorOf } from "./doors.ts";

/** Tells browsers to use only TLS for one year. */
const TLS_ONLY = "max-age=31536000";

/** Browsers do not guess the type of a response, and other sites cannot use it. */
const DATA_HEADERS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
};

/** Browsers neither display nor run a response of `/v1`. */
const V1_HEADERS = {
  ...DATA_HEADERS,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** A page loads nothing from other origins, and no other page can embed it. */
const PAGE_HEADERS = {
  ...DATA_HEADERS,
  "content-security-policy": [
    "default-src 'self'",
    // The component library writes its variables into style elements.
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data:",
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join(";"),
  "cross-origin-opener-policy": "same-origin",
  "origin-agent-cluster": "?1",
  "x-dns-prefetch-control": "off",
  "x-download-options": "noopen",
  "x-permitted-cross-domain-policies": "none",
  // Turned off, because the XSS filter of old browsers introduces vulnerabilities.
  "x-xss-protection": "0",
};

/**
 * Sets the headers of a response. TLS listeners tell browsers to use only TLS (RFC 6797), except
 * for the host `localhost`: browsers apply this to all ports of a host, and this machine's own port
 * serves plain HTTP.
 */
export function setAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isV1 = request.routeOptions.url?.startsWith("/v1/");
  reply.header("x-request-id", request.id).headers(isV1 ? V1_HEADERS : PAGE_HEADERS);
  if (doorOf(request) !== "machine" && request.hostname !== "localhost") {
    reply.header("strict-transport-security", TLS_ONLY);
  }
}
