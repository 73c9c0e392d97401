export { createSupportModule } from "./module.ts";
export { describeNetwork } from "./network.ts";
