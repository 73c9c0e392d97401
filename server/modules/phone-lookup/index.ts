export { registerLookupRoutes } from "./lookup-routes.ts";
export { formatPhoneNumber, type PhoneDescription, PhoneService } from "./phone-service.ts";
