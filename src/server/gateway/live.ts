import { gatewayEvents } from '#server/gateway/healing/gateway-news.ts'

export const renderers = gatewayEvents
