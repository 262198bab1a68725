import { execFile } from 'node:child_process'
import { readFile, readlink, realpath } from 'node:fs/promises'
import { promisify } from 'node:util'
import { codeOf } from '../errors.ts'

const execute = promisify(execFile)

/** Whether a process with this pid exists, of any account; a zombie counts. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}

/**
 * Whether the process is a PostgreSQL server of this data folder. A zombie is not, nor is an unrelated
 * process that got the same pid after a restart of the machine.
 */
export async function isServerOf(pid: number, dataFolder: string): Promise<boolean> {
  if (!isAlive(pid)) return false
  return process.platform === 'linux' ? isServerOnLinux(pid, dataFolder) : isServerByPs(pid, dataFolder)
}

async function isServerOnLinux(pid: number, dataFolder: string): Promise<boolean> {
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => '')
  if (name.trim() !== 'postgres') return false
  try {
    return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(dataFolder))
  } catch (error) {
    // A zombie has no working directory. EACCES: root in a container without SYS_PTRACE may not read the
    // working directory of another account's process; the command line is readable by all.
    if (codeOf(error) !== 'EACCES' && codeOf(error) !== 'EPERM') return false
    const commandLine = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '')
    return commandLine.split('\0').includes(dataFolder)
  }
}

async function isServerByPs(pid: number, dataFolder: string): Promise<boolean> {
  try {
    const { stdout } = await execute('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)])
    return !stdout.trimStart().startsWith('Z') && stdout.includes(`postgres -D ${dataFolder} `)
  } catch {
    // ps exits with 1 when there is no such process.
    return false
  }
}
