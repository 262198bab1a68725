import { AppError } from '#shared/errors.ts'
import type { Role } from '#shared/permissions.ts'
import {
  acceptInvitation,
  createInvitation,
  listInvitations,
  openInvitation,
  sendInvitation,
  withdrawInvitation,
} from '#shared/users/invitations.ts'
import { invitationLink } from '#shared/text/invitation-link.ts'
import { invitationText } from '#shared/users/texts.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import { guesserAddress } from '#server/platform/http/source/guesser-address.ts'
import { ownAddress } from '#server/platform/http/source/own-origin.ts'
import { type RequestSource, sourceOf } from '#server/platform/http/source/request-source.ts'
import { countNow, countUp } from '#server/users/sign-in/attempts.ts'
import { isStrictFor, isWeakPassword } from '#server/users/sign-in/password-strength.ts'
import { hasId, listOpen } from './invitation-queries.ts'
import { expectOpen, invite, join, noteSent, readOffer, withdraw } from './invitations.ts'

export interface InvitationContext {
  database: Database
  config: Pick<Config, 'strictPasswords' | 'isLoginLimitedByAddress' | 'publicUrl' | 'port'>
  /**
   * Sends a text to somebody who is no client, so that nothing of it is stored here.
   * @throws AppError when it was not sent
   */
  sendApart(to: {
    instanceId: number | undefined
    phone: string
    text: string
  }): Promise<{ instanceId: number; phone: string }>
}

const windowMinutes = 15
/** From one address: no link is guessed, but each attempt to join takes the work of a password. */
const mostRefused = 60
const mostSentPerHour = 30

/** The calls about invitations: of those who invite, and of whoever has a link. */
export function invitationRoutes({ route, routeByRow }: Http, context: InvitationContext): void {
  const { database, config, sendApart } = context

  route(listInvitations, () => listOpen(database))

  routeByRow(createInvitation, ({ who, body, permit }) => {
    permit('POST /api/invitations')
    if (body.flags) permit('POST /api/invitations (with permissions)')
    return invite(database, who, body)
  })

  route(withdrawInvitation, async ({ who, params: { id } }) => {
    await withdraw(database, who, id)
    return undefined
  })

  route(sendInvitation, async ({ who, params: { id }, body, request }) => {
    const { token, phone, instanceId } = body
    const open = await expectOpen(database, id, token)
    if ((await countUp(database, 'invitations-sent', 60)) > mostSentPerHour)
      throw new AppError('invitations.too_many_sent', { retryAfterSeconds: 600 })
    const text = invitationText({ ...open, link: invitationLink(ownAddress(request, config), token) })
    const sent = await sendApart({ instanceId, phone, text })
    await noteSent(database, who, open, sent)
    const [now = open] = await listOpen(database, hasId(id))
    return now
  })

  /** Counts what is refused to strangers by their address, and refuses those of whom it was too much. */
  const counted = async <Result>({ address }: RequestSource, work: () => Promise<Result>) => {
    if (!config.isLoginLimitedByAddress) return work()
    const key = `invitation:${guesserAddress(address ?? '')}`
    if ((await countNow(database, key)) >= mostRefused)
      throw new AppError('invitations.too_many', { retryAfterSeconds: 60 })
    try {
      return await work()
    } catch (error) {
      if (error instanceof AppError) await countUp(database, key, windowMinutes)
      throw error
    }
  }

  route(openInvitation, ({ body: { token }, request }) =>
    counted(sourceOf(request), () => readOffer(database, token)),
  )

  route(acceptInvitation, ({ body, request }) => {
    const source = sourceOf(request)
    const refuseWeak = async (role: Role) => {
      const known = [body.username, body.name, body.email]
      if (isStrictFor(config, role) && (await isWeakPassword(body.password, known)))
        throw new AppError('users.common_password')
    }
    return counted(source, () => join(database, source, body, refuseWeak))
  })
}
