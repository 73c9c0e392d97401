export { DrawerGuard } from "./drawer-guard.ts";
export { PrintDesk } from "./print-desk.ts";
export { registerPrinterRoutes } from "./printer-routes.ts";
export { PrinterService } from "./printer-service.ts";
