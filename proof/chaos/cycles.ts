import type { Program } from '../support/program.ts'
import type { Environment } from './environment.ts'
import type { Cycle } from './plan.ts'

/** The result of a cycle. */
export interface CycleResult {
  kind: Cycle['kind']
  /** The failpoint was not reached in time, so the program was killed from outside. */
  wasMissed: boolean
  /**
   * From the fault until it served again; undefined if the next failpoint struck before that was observed.
   */
  recoveryMs: number | undefined
}

/** The failpoint to arm at the next start; '' for none. */
interface Armed extends Record<string, string> {
  FAILPOINTS: string
}

const hitWithinMs = 8000

/**
 * Runs the cycles of one program. Each begins with a fault and ends when the program serves again, armed with
 * the next cycle's failpoint.
 * @throws Error if a program exits on its own or does not come back
 */
export async function runCycles(
  environment: Environment,
  program: Program,
  cycles: Cycle[],
  note: (result: CycleResult) => void,
): Promise<void> {
  const armedWith = (cycle: Cycle | undefined): Armed => ({ FAILPOINTS: cycle?.failpoints ?? '' })
  if (cycles[0]?.failpoints !== undefined) {
    await program.kill()
    await startArmed(environment, program, armedWith(cycles[0]))
  }
  for (const [index, cycle] of cycles.entries()) {
    const next = cycles[index + 1]
    let wasMissed = false
    let struckAt: number
    if (cycle.failpoints === undefined) {
      await new Promise((resolve) => setTimeout(resolve, cycle.afterMs))
      refuseOwnEnd(program)
      struckAt = await environment.strike(cycle, program)
    } else {
      wasMissed = !(await program.gone(hitWithinMs))
      await program.kill()
      refuseOwnEnd(program)
      struckAt = performance.now()
    }
    note({
      kind: cycle.kind,
      wasMissed,
      recoveryMs: await recover(environment, program, armedWith(next), struckAt),
    })
  }
}

/** Checks that the program was ended by SIGKILL. */
function refuseOwnEnd(program: Program): void {
  if (!program.isRunning && program.ending !== 'SIGKILL')
    throw new Error(`the program ended by itself: ${program.ending}`)
}

/**
 * Starts the program as a supervisor does: if it exits since it finds no database, it is started again.
 * @returns whether it served before its failpoint struck
 */
async function startArmed(environment: Environment, program: Program, armed: Armed): Promise<boolean> {
  for (;;) {
    const start = performance.now()
    try {
      await program.restart(armed)
      return true
    } catch (error) {
      if (armed.FAILPOINTS !== '' && program.ending === 'SIGKILL') return false
      if (program.ending !== '1' || !environment.wasAway(start)) throw error
    }
  }
}

/** Restarts the program, or waits until it has reconnected to its database, and arms the next failpoint. */
async function recover(
  environment: Environment,
  program: Program,
  armed: Armed,
  since: number,
): Promise<number | undefined> {
  if (!program.isRunning) {
    refuseOwnEnd(program)
    const hasServed = await startArmed(environment, program, armed)
    return hasServed ? Math.round(performance.now() - since) : undefined
  }
  await program.ready()
  const recoveryMs = Math.round(performance.now() - since)
  if (armed.FAILPOINTS !== '') {
    await program.kill()
    await startArmed(environment, program, armed)
  }
  return recoveryMs
}
