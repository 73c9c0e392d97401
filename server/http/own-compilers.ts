/** Fastify's own compilers are large, and not loaded where there are others. */
function notAsked(): never {
  throw new Error("requests and answers have compilers of their own");
}

export const OWN_COMPILERS = {
  compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked },
};
