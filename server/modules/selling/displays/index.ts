export { type DisplayBoard, showerOf } from "./display-board.ts";
export { createDisplaysModule } from "./module.ts";
