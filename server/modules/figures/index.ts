export { createFiguresModule } from "./module.ts";
