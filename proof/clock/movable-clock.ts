import { globSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { MissingProgram } from '../support/scenario.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'

/** The clock of a program, which can be moved while it runs. */
export interface MovableClock {
  /** The environment to start the program with. */
  env: Record<string, string>
  /** Sets it ahead of this machine's clock, or behind it. */
  move(aheadMs: number): void
  remove(): void
}

/**
 * A clock that libfaketime puts between a program and the system, which must be installed
 * (`apt install libfaketime`): every call that asks for the time gets another one, at once, while timers go
 * on as before, as when an administrator sets the clock.
 * @throws MissingProgram when it is not installed
 */
export function createMovableClock(): MovableClock {
  const [library] = globSync('/usr/lib{,/*}/faketime/libfaketime.so.1')
  if (library === undefined) throw new MissingProgram('libfaketime is not installed')
  const { dataDir, remove } = makeTemporaryFolder('clock')
  const file = join(dataDir, 'ahead')
  const move = (aheadMs: number) => {
    const next = `${file}.next`
    // A reader finds the file whole.
    writeFileSync(next, `${aheadMs < 0 ? '' : '+'}${Math.round(aheadMs / 1000)}\n`, { mode: 0o644 })
    renameSync(next, file)
  }
  move(0)
  const env = {
    LD_PRELOAD: library,
    FAKETIME_TIMESTAMP_FILE: file,
    FAKETIME_NO_CACHE: '1',
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
    DONT_FAKE_MONOTONIC: '1',
    NO_FAKE_STAT: '1',
  }
  return { env, move, remove }
}
