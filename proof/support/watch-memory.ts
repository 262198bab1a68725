import { execFileSync } from 'node:child_process'

/** The resident memory of a process, in MiB; 0 when it has ended. */
function residentOf(pid: number): number {
  try {
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
