export { createGoingLiveModule } from "./module.ts";
