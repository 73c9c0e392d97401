import type { FastifyRequest } from "fastify";
import type { SignedInActor } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import type { Shower } from "./display-board.ts";

/** The till that a request comes from. */
export function showerOf({ staffId, tokenHash }: SignedInActor, request: FastifyRequest): Shower {
  return { staffId, session: tokenHash, device: placeOf(request).device };
}
