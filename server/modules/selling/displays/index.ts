export type { DisplayBoard } from "./display-board.ts";
export { createDisplaysModule } from "./module.ts";
export { showerOf } from "./shower.ts";
