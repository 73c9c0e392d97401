import type { FastifyReply, FastifyRequest } from "fastify";
import { doorOf } from "./doors.ts";

/** A browser that has seen the shop by TLS asks it by nothing else, for a year. */
const BY_TLS_ALONE = "max-age=31536000";

/** On every answer: a browser takes it for what it says it is, and no other site can use it. */
const DATA_HEADERS = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin",
  "x-frame-options": "SAMEORIGIN",
  "referrer-policy": "no-referrer",
};

/** Answers to programs: nothing in them is shown or run. */
const V1_HEADERS = {
  ...DATA_HEADERS,
  "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
};

/** The till's page loads nothing from elsewhere, and no other page can hold it. */
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
  // Browsers' own filter, where an old one has it, makes holes.
  "x-xss-protection": "0",
};

/**
 * Sets the headers that keep an answer from being misused. The listeners that speak TLS demand it from then on
 * (RFC 6797); this machine's own speaks plain HTTP. A browser holds a host to it at every port, so `localhost`, where
 * this machine's own port is, is not held to it.
 */
export function setAnswerHeaders(request: FastifyRequest, reply: FastifyReply): void {
  const isV1 = request.routeOptions.url?.startsWith("/v1/");
  reply.header("x-request-id", request.id).headers(isV1 ? V1_HEADERS : PAGE_HEADERS);
  if (doorOf(request) !== "machine" && request.hostname !== "localhost") {
    reply.header("strict-transport-security", BY_TLS_ALONE);
  }
}
