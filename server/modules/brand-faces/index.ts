export { createBrandFacesModule } from "./module.ts";
