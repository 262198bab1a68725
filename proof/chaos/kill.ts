import { readdir, readFile } from 'node:fs/promises'

/** Sends SIGKILL, unless the process has exited already. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error
  }
}

/** Kills a server and all of its processes, which /proc lists. */
export async function killTree(pid: number): Promise<void> {
  const parents = new Map<number, number>()
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const text = await readFile(`/proc/${name}/stat`, 'utf8').catch(() => '')
    // The name is in parentheses and may contain any character.
    const [, parent] = text.slice(text.lastIndexOf(')') + 2).split(' ')
    parents.set(Number(name), Number(parent))
  }
  const pids = [pid]
  for (const each of pids) for (const [child, parent] of parents) if (parent === each) pids.push(child)
  pids.forEach(killIfThere)
}
