import {
  beginSecondFactor as beginCall,
  confirmSecondFactor as confirmCall,
  getSecondFactor,
  getSecondFactorDuties,
  removeSecondFactor,
  renewRecoveryCodes as renewCall,
  resetSecondFactor as resetCall,
  setSecondFactorDuties,
} from '#shared/users/profile.ts'
import type { Config } from '#server/platform/config.ts'
import type { Database } from '#server/platform/database/db.ts'
import type { Http } from '#server/platform/http/http.ts'
import type { Secrets } from '#server/platform/secrets.ts'
import { deviceCookie } from '#server/users/sign-in/cookies.ts'
import { listDuties } from '#server/users/second-factor/queries.ts'
import {
  beginSecondFactor,
  changeDuties,
  confirmSecondFactor,
  readSecondFactor,
  renewRecoveryCodes,
  resetSecondFactor,
  switchSecondFactorOff,
} from './second-factor-changes.ts'

/** The second factor of oneself, of others, and as a duty. */
export function secondFactorRoutes(
  { route }: Http,
  context: { database: Database; secrets: Secrets; config: Pick<Config, 'publicUrl'> },
): void {
  const { database, config } = context
  const device = deviceCookie(config.publicUrl)

  route(getSecondFactor, ({ who }) => readSecondFactor(database, who))

  route(beginCall, ({ who }) => beginSecondFactor(context, who))

  route(confirmCall, async ({ who, body, reply }) => {
    const { recoveryCodes, deviceToken } = await confirmSecondFactor(context, who, body)
    if (deviceToken) reply.setCookie(device.name, deviceToken, device.options)
    return { recoveryCodes }
  })

  route(removeSecondFactor, async ({ who, body }) => {
    await switchSecondFactorOff(context, who, body.code)
    return undefined
  })

  route(renewCall, async ({ who, body }) => ({
    recoveryCodes: await renewRecoveryCodes(context, who, body.code),
  }))

  route(resetCall, async ({ who, params: { id } }) => {
    await resetSecondFactor(context, who, id)
    return undefined
  })

  route(getSecondFactorDuties, async () => ({ roles: await listDuties(database) }))

  route(setSecondFactorDuties, async ({ who, body }) => ({
    roles: await changeDuties(context, who, body.roles),
  }))
}
