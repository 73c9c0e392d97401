export type { BrandFaceService } from "./brand-face-service.ts";
export { createBrandFacesModule } from "./module.ts";
