export { EventFeed } from "./event-feed.ts";
export { registerEventRoutes } from "./event-routes.ts";
