import type { FastifyRequest } from "fastify";
import type { SignedInActor } from "../../../http/app-types.ts";
import { placeOf } from "../../../http/device-cookie.ts";
import type { DisplayOwner } from "./display-board.ts";

export function getDisplayOwner(
  { staffId, tokenHash }: SignedInActor,
  request: FastifyRequest,
): DisplayOwner {
  return { staffId, session: tokenHash, device: placeOf(request).device };
}
