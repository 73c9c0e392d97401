export { createAlertsModule } from "./module.ts";
