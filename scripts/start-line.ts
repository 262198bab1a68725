import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The working directory of `npm start`, to which the paths in its command are relative. */
export const projectFolder = join(import.meta.dirname, '..')

/** What an installation for use is made of, besides the packages that `npm prune --omit=dev` leaves. */
export const installedParts = ['dist', 'scripts', 'deploy', 'package.json']

/**
 * Node's flags and the program of `npm start`, so that a proof runs what people run.
 * @param folder of another version of the program
 */
export function startLine(folder: string = projectFolder): { flags: string[]; program: string } {
  const { scripts } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const words = scripts.start.split(' ').slice(1)
  return { flags: words.slice(0, -1), program: words.at(-1) ?? '' }
}
