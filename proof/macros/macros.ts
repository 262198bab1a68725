import { defineScenario, type Result } from '../support/scenario.ts'
import { type Stage, startStage } from '../schedules/stage.ts'
import { plantEnv } from './plants.ts'
import { killEach, type Killed } from './kills.ts'
import { makeMacros, type Macros, type Left, leftIn, settle, wholeOf } from './left.ts'
import { type Pair, runInPairs } from './pairs.ts'

interface Observed {
  killed: Killed[]
  pairs: Pair[]
  left: Map<number, Left>
}

/**
 * Macros of every kind of step, over a kill of the program at each of their steps and at the commit, each run
 * being repeated then as a browser does; and run at once by two people in one conversation, while programs
 * die and the gateway is away. With `--plant`, one of the faults of `plants.ts` is there to be found.
 */
export const macros = defineScenario({
  options: { pairs: 400, rounds: 8, plant: '' },
  nightly: { pairs: 60, rounds: 3 },

  async arrange({ options: { pairs, plant }, defer }): Promise<Stage & { macros: Macros }> {
    const stage = await startStage({ name: 'macros', clients: pairs + 16, env: plantEnv(plant) }, defer)
    return { ...stage, macros: await makeMacros(stage) }
  },

  async act(stage, { options: { rounds }, random, print, seconds }): Promise<Observed> {
    const killed = await killEach(stage, stage.clients.slice(0, 16))
    print(`  killed at ${killed.length} places, ${seconds()} s`)
    const pairs: Pair[] = []
    const all = stage.clients.slice(16)
    for (let round = 0; round < rounds; round++) {
      const some = all.filter((_client, n) => n % rounds === round)
      pairs.push(...(await runInPairs(stage, some, { round, random })))
      print(`  ${pairs.length} conversations with two people, ${seconds()} s`)
    }
    await settle(stage)
    return { killed, pairs, left: await leftIn(stage) }
  },

  check({ killed, pairs, left }, { macros: made }, { print }): Result[] {
    const answers = Map.groupBy(
      pairs.flatMap((pair) => pair.answers),
      ({ status, message }) => `${status} ${message}`,
    )
    for (const [answer, of] of answers) print(`  ${of.length} × ${answer}`)
    const wrongOf = (conversationId: number, macroId: number, times: 0 | 1): string[] => {
      const is = JSON.stringify(left.get(conversationId))
      const wanted = JSON.stringify(wholeOf(made, macroId, times))
      return is === wanted ? [] : [`conversation ${conversationId}: ${is} instead of ${wanted}`]
    }
    const isDone = ({ status }: { status: number }) => status === 200
    return [
      {
        property: 'a program that is killed at a step has done nothing, and at the commit all',
        checked: killed.length,
        faults: killed.flatMap(({ place, after, wanted }) => {
          const [is, should] = [JSON.stringify(after), JSON.stringify(wanted)]
          return is === should ? [] : [`${place}: ${is} instead of ${should}`]
        }),
      },
      {
        property: 'a run that is repeated after a kill is done once, and told as before',
        checked: killed.length,
        faults: killed.flatMap(({ place, conversationId, macroId, statuses }) => [
          ...(statuses.every((status) => status === 200)
            ? []
            : [`${place}: answered ${statuses.join(', ')}`]),
          ...wrongOf(conversationId, macroId, 1),
        ]),
      },
      {
        property: 'of two people one does it, and the other is told what has happened',
        checked: pairs.length,
        faults: pairs.flatMap(({ conversationId, answers: both }) => {
          const [done, others] = [both.filter(isDone), both.filter((one) => !isDone(one))]
          const isTold = others.every(({ status, message }) => status === 409 && told.test(message))
          return done.length === 1 && isTold ? [] : [`${conversationId}: ${JSON.stringify(both)}`]
        }),
      },
      {
        property: 'everything is done once, in the database and on the phone',
        checked: pairs.length,
        faults: pairs.flatMap(({ conversationId, macroId }) => wrongOf(conversationId, macroId, 1)),
      },
      {
        property: 'the proof sees both: who runs it, and who is refused',
        checked: 2,
        faults: [
          ...(pairs.some(({ answers: both }) => both.some(isDone)) ? [] : ['nobody has run a macro']),
          ...(pairs.some(({ answers: both }) => !both.every(isDone)) ? [] : ['nobody was refused']),
        ],
      },
    ]
  },
})

/** In words, and with the name of whoever was first where that is known. */
const told = /acabou de rodar a macro ‘.+’ nesta conversa|já foi finalizada|mudou enquanto você agia/
