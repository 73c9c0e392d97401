export { EsimService } from "./esim-service.ts";
export { findEsim, isEsimGone, recordEsim } from "./esim-store.ts";
export { createEsimsModule } from "./module.ts";
export { drawQrCode } from "./qr-code.ts";
