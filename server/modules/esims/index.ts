export { registerEsimRoutes } from "./esim-routes.ts";
export { EsimService } from "./esim-service.ts";
export { findEsim, isEsimGone, recordEsim } from "./esim-store.ts";
export { drawActivationCode, qrContentOf } from "./qr-code.ts";
