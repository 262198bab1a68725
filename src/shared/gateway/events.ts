import * as z from 'zod/mini'
import { logged } from '#shared/live-event.ts'
import { id, instant } from '#shared/users/users.ts'

const count = z.int().check(z.minimum(0))

/** What a person's screens are notified of the gateway: only of the numbers that were given to them. */
export const gatewayNews = z.object({
  /** One of the numbers is open. */
  gatewayConnected: z.boolean(),
  /** The active numbers that were connected before, and are not open now. */
  away: z.array(
    z.object({
      id,
      name: z.string(),
      /** One of `gatewayStates`, which no first load knows. */
      state: z.string(),
    }),
  ),
  /** Another one whenever `GET /api/numbers` would answer otherwise. */
  numbersVersion: z.string(),
  /** Messages of ours that wait for the gateway, or for their turn in its pace. */
  waiting: count,
  /** The recovery of the last half hour: the messages that came late, up to the last one. */
  recovered: z.nullable(z.object({ count, until: instant })),
})
export type GatewayNews = z.infer<typeof gatewayNews>

export const events = { gateway_state: logged(gatewayNews, { mayHave: ['userId'] }) }
