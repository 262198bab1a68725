import type { GatewayRestart } from '#simulator/control-api.ts'
import { instanceOf, updateInstance, type World } from '#simulator/world/world.ts'
import { announceConnection, isHeldDown, openInstance } from './instances.ts'

/**
 * Restarts the gateway's process: webhooks that were not accepted are lost, no connection is answered for
 * `awayMs`, and sockets that were open stay 'connecting' for `connectingMs` more.
 */
export function restartGateway(world: World, { awayMs, connectingMs }: Required<GatewayRestart>): void {
  world.hooks.forget()
  world.leaveNetwork(awayMs)
  const names = [...world.state.instances.values()].flatMap(({ name, state, storedState, ownerNumber }) =>
    (storedState ?? state) === 'close' || ownerNumber === null ? [] : [name],
  )
  // Messages that come meanwhile wait at WhatsApp.
  for (const name of names)
    updateInstance(world, name, { state: 'connecting', storedState: undefined, qr: null })
  world.timers.after(awayMs, () => {
    for (const name of names) announceConnection(world, instanceOf(world, name), 'connecting', 200)
  })
  world.timers.after(awayMs + connectingMs, () => {
    for (const name of names)
      if (instanceOf(world, name).state === 'connecting' && !isHeldDown(world, name))
        openInstance(world, name)
  })
  world.feed.line('chamada', 'reinício do gateway', '', 'webhooks não entregues foram perdidos')
}
