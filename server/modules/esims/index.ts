export { EsimService } from "./esim-service.ts";
export { findEsim, isEsimGone, recordEsim } from "./esim-store.ts";
export { createEsimsModule } from "./module.ts";
export { drawActivationCode, qrContentOf } from "./qr-code.ts";
