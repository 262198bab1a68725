import { password, openSessions } from '../world/people.ts'
import { changing, type Recipes } from '../recipe.ts'
import { recordedAndPushed } from './owned.ts'
import { always, each } from './targets.ts'

/** The calls about the person's own session. */
export const sessionRecipes = {
  'POST /api/auth/login': changing(
    [
      {
        what: 'the right password',
        status: 200,
        targets: each(
          async (_world, callers) => callers,
          (_one, { username }, world) => ({
            path: '/api/auth/login',
            body: { username: username || world.colleague.username, password },
          }),
        ),
      },
    ],
    '+audit_logs +sessions users.failed_login_attempts users.last_login_attempt_at',
  ),
  'GET /api/auth/me': [{ what: 'oneself', status: 200, targets: always('/api/auth/me') }],
  'POST /api/auth/logout': changing(
    [
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
          ({ token }) => ({ path: '/api/auth/logout', token }),
        ),
      },
    ],
    recordedAndPushed,
    'sessions.ended_at',
  ),
  'PUT /api/profile/away': changing([
    { what: 'oneself', status: 200, targets: always('/api/profile/away', { isAway: false }) },
  ]),
  'GET /api/server-time': [{ what: 'the time', status: 200, targets: always('/api/server-time') }],
} satisfies Recipes
