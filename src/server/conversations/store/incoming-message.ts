import type { GatewayEvent } from '#server/gateway/gateway.ts'

/** A message that the gateway reports: the contact's, or one sent from our own number. */
export type IncomingMessage = Extract<GatewayEvent, { kind: 'message' }>
