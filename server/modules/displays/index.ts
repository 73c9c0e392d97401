export { DisplayBoard } from "./display-board.ts";
export { registerDisplayRoutes } from "./display-routes.ts";
