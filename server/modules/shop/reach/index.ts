export { createReachModule } from "./module.ts";
export { describeNetwork } from "./network.ts";
export { describeWays, type FindFirewall, findWays, type ReachService } from "./reach-service.ts";
