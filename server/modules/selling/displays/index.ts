export type { DisplayBoard } from "./display-board.ts";
export { getDisplayOwner } from "./display-owner.ts";
export { createDisplaysModule } from "./module.ts";
