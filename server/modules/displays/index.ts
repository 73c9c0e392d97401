export type { DisplayBoard } from "./display-board.ts";
export { showerOf } from "./display-routes.ts";
export { createDisplaysModule } from "./module.ts";
