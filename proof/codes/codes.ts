import { sql } from 'drizzle-orm'
import { rows } from '#server/platform/database/db.ts'
import { newTotpSecret } from '#server/users/second-factor/totp.ts'
import { movableClock, type MovableClock } from '#server/testing/database/movable-clock.ts'
import { defineScenario, type Result } from '../support/scenario.ts'
import { eachOf, type Person, startTwoInstances, type TwoInstances } from '../support/two-instances.ts'

const hourMs = 3_600_000
/** Guesses at once, over both instances. */
const burst = 10
/** The shortest lock of an administrator, after which a guesser knocks again. */
const waitMs = 15 * 60_000
/**
 * The attempts that the design gives in 24 hours: three for each of the locks of 15, 30, 60, 120, 240 and
 * 480 minutes and the one after them, and then three a day.
 * @see docs/decisions/0029
 */
const most = { operator: 3, admin: 24, confirmed: 10 } as const

interface Guessed {
  at: TwoInstances
  clock: MovableClock
  admin: Person
  operator: Person
  /** Signed in, so that a stolen session can be tried. */
  holder: Person
}

async function withSecondFactor(at: TwoInstances, person: Person): Promise<void> {
  const sealed = at.apps[0]?.secrets.encrypt(newTotpSecret()) ?? ''
  await at.database.execute(
    sql`update users set totp_secret_encrypted = ${sealed}, totp_confirmed_at = app_now()
         where id = ${person.id}`,
  )
}

/** The wrong codes that were evaluated, at most within any 24 hours and altogether. */
async function evaluated(at: TwoInstances, action: string, userId: number) {
  const [found] = await rows<{ most: number; all: number }>(
    at.database,
    sql`with tries as (select created_at from audit_logs where action = ${action}
                        and resource_id = ${String(userId)}
                        and (details ? 'attempt' or details ? 'by')),
             days as (select (select count(*)::int from tries b
                               where b.created_at >= a.created_at
                                 and b.created_at < a.created_at + interval '24 hours') as within
                        from tries a)
        select count(*)::int as "all", coalesce(max(within), 0) as "most" from days`,
  )
  return found ?? { most: 0, all: 0 }
}

/**
 * A guesser who has the password tries codes as fast as they are heard, at the sign-in and in a stolen
 * session.
 */
export const codes = defineScenario({
  options: { guesses: 1_000_000 },
  nightly: { guesses: 20_000 },

  async arrange({ defer }): Promise<Guessed> {
    const at = await startTwoInstances({
      env: { LOGIN_LIMIT_BY_ADDRESS: 'off' },
      jobTimes: { queueMs: 86_400_000, inactivityMs: 86_400_000 },
    })
    defer(at.close)
    const clock = await movableClock(at.database)
    const people = {
      admin: await at.signIn('admin', 'chefe'),
      operator: await at.signIn('operator', 'ana'),
      holder: await at.signIn('operator', 'bia'),
    }
    for (const person of Object.values(people)) await withSecondFactor(at, person)
    return { at, clock, ...people }
  },

  async act({ at, clock, admin, operator, holder }, { options: { guesses }, random, print }) {
    const statuses = new Map<number, number>()
    const code = () => String(Math.floor(random() * 1_000_000)).padStart(6, '0')
    const guess = async (n: number) => {
      const who = n % 3
      const { status } =
        who === 2
          ? await holder.call(n % 2, 'POST', '/api/auth/reauthenticate', { code: code() })
          : await at.login(n % 2, (who === 0 ? admin : operator).username, { code: code() })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    let given = 0
    for (; given < guesses; given += burst * 3) {
      await eachOf(
        Array.from({ length: burst * 3 }, (_, n) => n),
        burst,
        guess,
      )
      await clock.forward(waitMs)
      // A session ends after twelve hours without use, and after seven days.
      if (given % 3000 === 0)
        await at.database.execute(
          sql`update sessions set created_at = app_now(), last_seen_at = app_now()
               where user_id = ${holder.id}`,
        )
    }
    const days = ((given / (burst * 3)) * waitMs) / (24 * hourMs)
    print(
      `${given} guesses in ${days.toFixed(1)} days of the product's clock: ${JSON.stringify([...statuses])}`,
    )
    return { given, days, statuses }
  },

  async check({ given, days, statuses }, { at, admin, operator, holder }): Promise<Result[]> {
    const judge = async (
      property: string,
      action: string,
      person: Person,
      limit: number,
    ): Promise<Result> => {
      const tries = await evaluated(at, action, person.id)
      const isTooMany = tries.most > limit
      return {
        property: `${property}: at most ${limit} codes in 24 hours (${tries.all} in ${days.toFixed(0)} days)`,
        checked: tries.all,
        faults: isTooMany ? [`${tries.most} codes were evaluated within 24 hours`] : [],
      }
    }
    const heard = (await evaluated(at, 'auth.login_failed', operator.id)).all
    return [
      await judge('an administrator', 'auth.login_failed', admin, most.admin),
      await judge('an operator', 'auth.login_failed', operator, most.operator),
      {
        property: 'an operator is heard three times in all',
        checked: heard,
        faults: heard > most.operator ? [`heard ${heard} times`] : [],
      },
      await judge('a stolen session', 'auth.confirm_failed', holder, most.confirmed),
      {
        property: 'every guess is answered, none with an error of ours',
        checked: given,
        faults: [...statuses.keys()].filter((status) => status >= 500).map((status) => `${status}`),
      },
    ]
  },
})
