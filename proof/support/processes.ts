import { readdir, readFile } from 'node:fs/promises'

interface Row {
  pid: number
  parent: number
  session: number
  state: string
}

/** All processes of the machine, from /proc. */
async function table(): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of await readdir('/proc')) {
    if (!/^\d+$/.test(name)) continue
    const row = await processRow(Number(name))
    if (row) rows.push(row)
  }
  return rows
}

/** A process by its id, if it exists. */
export async function processRow(pid: number): Promise<Row | undefined> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  // The name is in parentheses and may contain any character.
  const [state, parent, , session] = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return state ? { pid, parent: Number(parent), session: Number(session), state } : undefined
}

/** The current descendants of a process. */
export async function descendantsOf(pid: number): Promise<number[]> {
  const rows = await table()
  const found = [pid]
  for (const each of found)
    found.push(...rows.filter(({ parent, state }) => parent === each && state !== 'Z').map((row) => row.pid))
  return found.slice(1)
}

/** Kills a server and all its processes. */
export async function killTree(pid: number): Promise<number> {
  const pids = [pid, ...(await descendantsOf(pid))]
  for (const each of pids) killIfThere(each)
  return pids.length
}

/** Sends SIGKILL, unless the process has exited already. */
export function killIfThere(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error) || error.code !== 'ESRCH') throw error
  }
}

/** The running servers whose command line contains a path below the folder. */
export async function serversBelow(folder: string): Promise<number[]> {
  const found: number[] = []
  for (const { pid, state } of await table()) {
    if (state === 'Z') continue
    const words = (await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')).split('\0')
    const isDatabase = /\/(postgres|initdb)$/.test(words[0] ?? '')
    if (isDatabase && words.some((word) => word.startsWith(folder))) found.push(pid)
  }
  return found
}
