import {
  cancelScheduled,
  changeScheduled,
  listOfConversation,
  listScheduled,
  plannedTime,
  scheduleMessage,
  sendScheduled,
} from '#shared/scheduled/scheduled.ts'
import { countOfConversation } from '#shared/scheduled/shown-count.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Who } from '#server/platform/http/access.ts'
import type { Http } from '#server/platform/http/http.ts'
import { cancelStored, changeStored, storeScheduled } from '#server/conversations/scheduled/acts.ts'
import { plan } from '#server/conversations/scheduled/plan.ts'
import {
  countOfClient,
  listOfClient,
  listScheduledFor,
  scheduledFor,
  toScheduled,
} from '#server/conversations/scheduled/rows.ts'
import { sendNow } from '#server/conversations/scheduled-sending/send.ts'
import { expectReadable } from '#server/conversations/store/access.ts'

/** The calls about scheduled messages. */
export function scheduledRoutes({ route, routeByRow }: Http, { database }: { database: Database }): void {
  const read = async (who: Who, id: number) => toScheduled(await scheduledFor(database, who, id), who)

  route(scheduleMessage, async ({ params, body, who }) => {
    const chosen = { ...body, sendAt: new Date(body.sendAt) }
    return read(who, await storeScheduled(database, who, params.id, chosen))
  })

  route(listOfConversation, async ({ params, who }) =>
    listOfClient(database, who, await expectReadable(database, who, params.id)),
  )

  route(countOfConversation, async ({ params, who }) => ({
    count: await countOfClient(database, who, await expectReadable(database, who, params.id)),
  }))

  route(plannedTime, async ({ params, query, who }) => {
    const conversation = await expectReadable(database, who, params.id)
    return plan(database, conversation, {
      at: new Date(query.at),
      onlyOpen: query.onlyOpen === 'true',
    })
  })

  routeByRow(listScheduled, async ({ query, who, permit }) => {
    permit(`GET /api/scheduled-messages (${query.of === 'mine' ? 'own' : 'all'})`)
    return listScheduledFor(database, who, query)
  })

  route(changeScheduled, async ({ params, body: { sendAt, ...body }, who }) => {
    const change = { ...body, ...(sendAt !== undefined && { sendAt: new Date(sendAt) }) }
    await changeStored(database, who, params.id, change)
    return read(who, params.id)
  })

  route(cancelScheduled, async ({ params, who }) => {
    await cancelStored(database, who, params.id)
    return read(who, params.id)
  })

  route(sendScheduled, async ({ params, body, who }) => {
    await sendNow(database, who, params.id, body.version)
    return read(who, params.id)
  })
}
