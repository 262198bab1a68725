import { existsSync } from 'node:fs'
import { open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '#server/platform/config.ts'

// The copies from before upgrades are folders of the data folder. Their names begin with the time, so that
// they are in its order, and end with the version, as its newest migration is called.

/** More than one: the newest may be of a version that nobody has used yet. */
const mostKept = 2
/** After so long nobody goes back, and what was deleted in the meantime is in them. */
const longestKeptMs = 30 * 24 * 60 * 60_000

type Place = Pick<Config, 'dataDir'>

export const copiesFolder = ({ dataDir }: Place): string => join(dataDir, 'upgrades')

/** @param tag of the migration that names the version */
export const nameOf = (madeAt: Date, tag: string): string =>
  `${madeAt.toISOString().replaceAll(/[:.]/g, '-')}-${tag}`

/** A copy has this behind its name until it is proven. */
const unfinished = '.unfinished'

/** Where a copy is made, until `finishCopy` gives it its name. */
export const unfinishedPath = (path: string): string => `${path}${unfinished}`

/** Gives a copy its name, so that it survives a crash of the machine. */
export async function finishCopy(place: Place, path: string): Promise<void> {
  await rename(unfinishedPath(path), path)
  const folder = await open(copiesFolder(place))
  try {
    await folder.sync()
  } finally {
    await folder.close()
  }
}

/** The proven copies, the newest first; each is a path. */
export async function listCopies(place: Place): Promise<string[]> {
  const names = (await namesIn(place)).filter((name) =>
    /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d(-\d{3})?Z-\w+$/.test(name),
  )
  return names
    .toSorted()
    .map((name) => join(copiesFolder(place), name))
    .toReversed()
}

/** Removes what a program has left that died while it copied. */
export async function removeUnfinished(place: Place): Promise<void> {
  for (const name of await namesIn(place))
    if (name.endsWith(unfinished)) await rm(join(copiesFolder(place), name), { recursive: true, force: true })
}

/** Removes all but the newest, and those of which the time is over. */
export async function removeOldCopies(place: Place, now: Date): Promise<void> {
  const oldest = nameOf(new Date(now.getTime() - longestKeptMs), '')
  for (const [n, path] of (await listCopies(place)).entries())
    if (n >= mostKept || path < join(copiesFolder(place), oldest))
      await rm(path, { recursive: true, force: true })
}

async function namesIn(place: Place): Promise<string[]> {
  const root = copiesFolder(place)
  return existsSync(root) ? readdir(root) : []
}
