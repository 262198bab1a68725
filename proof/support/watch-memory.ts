import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'

/** The resident memory of a process, in MiB; 0 when it has ended. */
export function residentOf(pid: number): number {
  try {
    // A process for each look would take a tenth of a processor, and hold up what is measured meanwhile.
    if (existsSync('/proc/self/status'))
      return Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
    return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024
  } catch {
    return 0
  }
}

/** The peak memory since then, in MiB, sampled ten times a second. */
export function watchMemory(pid: number): { stop(): number } {
  let highest = 0
  const timer = setInterval(() => (highest = Math.max(highest, residentOf(pid))), 100)
  return {
    stop: () => {
      clearInterval(timer)
      return highest
    },
  }
}
