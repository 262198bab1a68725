import { sql } from 'drizzle-orm'
import { type MakeThings, insertedId, neverId } from '../references/thing.ts'
import { password, openSessions } from '../access/world/people.ts'
import { changing, type Recipes } from '../access/recipe.ts'
import { recordedAndPushed } from '../access/owned.ts'
import { each, plain } from '../access/targets.ts'

/** The calls about the person's own session. */
export const recipes = {
  'POST /api/auth/login': changing(
    {
      what: 'the right password',
      status: 200,
      targets: each(
        async (_world, callers) => callers,
        (_one, { username }, world) => ({
          body: { username: username || world.colleague.username, password },
        }),
      ),
    },
    '+audit_logs +sessions users.failed_login_attempts users.last_login_attempt_at',
  ),
  'GET /api/auth/me': plain('oneself'),
  'POST /api/auth/logout': changing(
    {
      what: 'another session of the person',
      status: 204,
      // Whoever has no session that counts brings the one that they have.
      targets: each(
        async (world, callers) => {
          const people = callers.filter(({ userId }) => userId !== 0)
          const tokens = await openSessions(
            world.database,
            people.map(({ userId }) => userId),
          )
          return callers.map(({ userId, token }) => ({ token: userId === 0 ? token : tokens.shift() }))
        },
        ({ token }) => ({ token }),
      ),
    },
    recordedAndPushed,
    'sessions.ended_at',
  ),
  'GET /api/server-time': plain('the time'),
} satisfies Recipes

export const things = {
  session: async ({ world, holderId }) => {
    const sessionOf = (hash: string, isEnded: boolean) => sql`insert into sessions
      (user_id, token_hash, ended_at)
      values (${holderId}, ${hash}, case when ${isEnded} then app_now() end) returning id`
    const session = await insertedId(world, sessionOf('alheia', false))
    const ended = await insertedId(world, sessionOf('encerrada', true))
    return { foreign: session, archived: ended, deleted: ended, never: neverId }
  },
} satisfies MakeThings
