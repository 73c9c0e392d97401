/** The part of a reply that is needed here; its type parameters do not matter. */
interface Reply {
  type(contentType: string): unknown;
}

/**
 * Answers with JSON that was made ready before: Fastify sends a text or bytes as they are, past the
 * serializer. It must be what the operation's schema describes; the compiler takes the caller's word
 * for it.
 */
export function preparedJson<Body>(reply: Reply, json: string | Buffer): Body {
  reply.type("application/json; charset=utf-8");
  return json as Body;
}
