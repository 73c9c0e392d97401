/** Fastify's own compilers are large, and not asked where there are others: bundles leave them out. */
function notAsked(): never {
  throw new Error("requests and answers have compilers of their own");
}

export const OWN_COMPILERS = {
  compilersFactory: { buildValidator: notAsked, buildSerializer: notAsked },
};
