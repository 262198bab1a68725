import { join } from 'node:path'
import type { Program } from '../support/program.ts'
import { makeTemporaryFolder } from '../support/throwaway-database.ts'
import { command, makeBackup, type Place } from './installation.ts'
import type { OtherVersion } from '../support/other-version.ts'
import { runIn } from './run-in.ts'

/** What version 0.1.0 has made of its installation: the id of a backup, and the folder of a copy. */
export interface Archives {
  backup: number
  copy: string
  remove(): void
}

/** @throws Error when that version does not make one */
export async function archiveByFirst(
  place: Place,
  { first, program, token }: { first: OtherVersion; program: Program; token: string },
): Promise<Archives> {
  const backup = await makeBackup(program, token)
  if (typeof backup === 'string') throw new Error(backup)
  const { dataDir, remove } = makeTemporaryFolder('archives')
  const copy = join(dataDir, 'copy')
  const { code, said } = await runIn(first.folder, place, 'cli', 'copy', copy)
  if (code !== 0) throw new Error(`copy ends with ${code}: ${said}`)
  return { backup, copy, remove }
}

/** The program of today compares the one and attaches the other. @returns faults */
export async function lookAtArchives(place: Place, { backup, copy }: Archives): Promise<string[]> {
  const compared = await command(place, 'backup', 'compare', String(backup))
  const { dataDir, remove } = makeTemporaryFolder('attached')
  try {
    const elsewhere = { ...place, env: { ...place.env, DATA_DIR: dataDir } }
    const attached = await command(elsewhere, 'attach', copy)
    const listed = await command(elsewhere, 'list')
    return [
      ...(compared.code === 0 ? [] : [`backup compare ends with ${compared.code}: ${compared.said}`]),
      ...(attached.code === 0 ? [] : [`attach ends with ${attached.code}: ${attached.said}`]),
      ...(listed.said.includes('chefe') ? [] : [`nobody is in the attached copy: ${listed.said}`]),
    ]
  } finally {
    remove()
  }
}
