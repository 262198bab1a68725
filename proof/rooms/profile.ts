import { Secret, TOTP } from 'otpauth'
import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { hashToken, randomToken } from '#server/platform/secrets.ts'
import { newTotpSecret } from '#server/users/second-factor/totp.ts'
import { type MakeThings, neverName } from '../references/thing.ts'
import { picture } from '../access/world/messages.ts'
import { type Caller, password } from '../access/world/people.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import type { World } from '../access/world/world.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { always, each, formOf, idOf, numbered, once, plain } from '../access/targets.ts'
import { others, twinsOf } from './accounts.ts'

const form = formOf({}, picture)

/** Silent hours that begin at some minute of the evening. */
const nightsFrom = (minute: number) => ({
  mode: 'hours',
  start: `22:${String(minute).padStart(2, '0')}`,
  end: '07:00',
  days: [1, 2, 3, 4, 5],
  daysOff: [0],
  mentions: true,
})

/** Another session of each caller, by its id. */
const otherSessions = (world: World, callers: readonly Caller[]) =>
  Promise.all(
    callers.map(async (caller) => {
      const [made] = await rows<{ id: number }>(
        world.database,
        sql`insert into sessions (user_id, token_hash)
             values (${idOf(world, caller)}, ${hashToken(randomToken())}) returning id`,
      )
      return made?.id ?? 0
    }),
  )

/** Gives accounts a second factor. @returns its secret */
async function factorFor(world: World, ids: readonly number[], isConfirmed: boolean): Promise<string> {
  const secret = newTotpSecret()
  const sealed = world.at.apps[0]?.secrets.encrypt(secret) ?? ''
  await world.database.execute(
    sql`update users set totp_secret_encrypted = ${sealed},
               totp_confirmed_at = case when ${isConfirmed} then app_now() end
         where id = any(${sql.param([...ids])}::int[])`,
  )
  return secret
}

/** Somebody with the rights of each caller and a second factor, or one that a code is still to confirm. */
const factorOwners = (isConfirmed: boolean) => async (world: World, callers: readonly Caller[]) => {
  const twins = await twinsOf(world, callers)
  const ids = twins.map(({ id }) => id)
  const secret = await factorFor(world, ids, isConfirmed)
  const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate()
  return twins.map(({ token }) => ({ token, code }))
}

const withFactor = (path: string) =>
  each(factorOwners(true), ({ token, code }) => ({ path, token, body: { code } }))

/** What changes of an account with its second factor. */
const secondFactor =
  'users.totp_confirmed_at users.totp_last_step users.totp_secret_encrypted users.updated_at'

/** What people do with their own accounts, and the second factor of others. */
export const recipes = {
  'POST /api/auth/reauthenticate': changing(
    { ...plain('the password', { password }), status: 204 },
    '+audit_logs +rate_limits rate_limits.count sessions.confirmed_at',
  ),
  'GET /api/auth/confirmation': [{ what: 'oneself', status: 204, targets: always('/api/auth/confirmation') }],
  'PUT /api/profile': changing(
    plain('oneself', { name: 'Outro nome' }),
    recordedAndPushed,
    'users.email users.name users.updated_at',
  ),
  'PUT /api/profile/silent-hours': changing(
    {
      what: 'oneself',
      status: 200,
      targets: numbered((n) => ({ body: { silentHours: nightsFrom(n % 60) } })),
    },
    recordedAndPushed,
    'users.silent_hours users.updated_at',
  ),
  'POST /api/profile/password-strength': changing(plain('any password', { password: 'alface-roxa' })),
  'GET /api/profile/sessions': plain('oneself'),
  'DELETE /api/profile/sessions/{id}': changing(
    { what: 'another session of the person', status: 204, targets: each(otherSessions, (id) => id) },
    recordedAndPushed,
    'sessions.ended_at',
  ),
  'DELETE /api/profile/sessions': changing(
    {
      what: 'the other sessions of the person',
      status: 200,
      targets: each(twinsOf, ({ token }) => ({ token })),
    },
    recordedAndPushed,
    'sessions.ended_at',
  ),
  'PUT /api/profile/picture': changing(
    { what: 'oneself', status: 200, targets: each(twinsOf, ({ token }) => ({ token, form })) },
    recordedAndPushed,
    '+files files.user_id',
  ),
  'DELETE /api/profile/picture': changing(
    { ...plain('oneself'), status: 204 },
    recordedAndPushed,
    'files.user_id',
  ),
  'GET /api/profile-pictures/{name}': {
    what: "a colleague's",
    status: 200,
    targets: once(async (world) => {
      const request = { method: 'PUT', path: '/api/profile/picture', token: world.colleague.token, form }
      const { text } = await world.send(0, request)
      return { path: (JSON.parse(text) as { pictureUrl: string }).pictureUrl }
    }),
  },
  'GET /api/profile/second-factor': plain('oneself'),
  'POST /api/profile/second-factor': changing(
    { what: 'oneself', status: 200, targets: each(twinsOf, ({ token }) => ({ token })) },
    'users.totp_last_step users.totp_secret_encrypted',
  ),
  'PUT /api/profile/second-factor': changing(
    {
      what: 'oneself',
      status: 200,
      targets: each(factorOwners(false), ({ token, code }) => ({ token, body: { code } })),
    },
    recordedAndPushed,
    '+rate_limits +recovery_codes users.totp_confirmed_at users.totp_last_step users.updated_at',
  ),
  'DELETE /api/profile/second-factor': changing(
    { what: 'oneself', status: 204, targets: withFactor('/api/profile/second-factor') },
    recordedAndPushed,
    secondFactor,
    '+rate_limits rate_limits.count',
  ),
  'POST /api/profile/recovery-codes': changing(
    { what: 'oneself', status: 200, targets: withFactor('/api/profile/recovery-codes') },
    '+audit_logs +rate_limits rate_limits.count +recovery_codes -recovery_codes users.totp_last_step',
  ),
  'GET /api/users/{id}/sessions': { what: 'somebody else', status: 200, targets: each(others, (id) => id) },
  'DELETE /api/users/{id}/sessions': changing(
    { what: 'somebody else', status: 200, targets: each(others, (id) => id) },
    recordedAndPushed,
    'sessions.ended_at',
  ),
  'DELETE /api/users/{id}/second-factor': changing(
    {
      what: 'somebody else',
      status: 204,
      targets: each(
        async (world, callers) => {
          const ids = await others(world, callers)
          await factorFor(world, ids, true)
          return ids
        },
        (id) => id,
      ),
    },
    recordedAndPushed,
    secondFactor,
    'sessions.ended_at',
  ),
  'GET /api/second-factor-duties': plain('all'),
  'PUT /api/second-factor-duties': changing(plain('none', { roles: [] }), '+audit_logs'),
  'GET /api/audit-logs': plain('all'),
  'GET /api/audit-logs/export': {
    what: 'all',
    status: 200,
    targets: always('/api/audit-logs/export?from=2020-01-01&to=2020-01-02'),
  },
} satisfies Recipes

export const things = {
  // None is a picture of a person.
  'profile picture': ({ pictures }) => Promise.resolve({ ...pictures, never: neverName }),
} satisfies MakeThings
