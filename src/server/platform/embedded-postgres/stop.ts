import { setTimeout as sleep } from 'node:timers/promises'
import { codeOf } from './errors.ts'
import { readPidFile } from './lock/pid-file.ts'
import { isServerOf } from './lock/process-table.ts'

const mostWaitMs = 60_000

/**
 * Stops the server with a fast shutdown: ends the sessions and writes everything. Waits until the pid file no
 * longer names the server. Returns false when it is still running after 60 s.
 */
export async function stopServer(dataFolder: string): Promise<boolean> {
  const pid = (await readPidFile(dataFolder))?.pid
  if (pid === undefined || !(await isServerOf(pid, dataFolder))) return true
  try {
    process.kill(pid, 'SIGINT')
  } catch (error) {
    if (codeOf(error) !== 'ESRCH') throw error
  }
  const deadline = performance.now() + mostWaitMs
  while (performance.now() < deadline) {
    if ((await readPidFile(dataFolder))?.pid !== pid || !(await isServerOf(pid, dataFolder))) return true
    await sleep(10)
  }
  return false
}
