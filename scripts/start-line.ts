import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** The folder against which the words of the start line are meant. */
export const projectFolder = join(import.meta.dirname, '..')

/** What `npm start` gives to Node: its flags, and the program. A proof runs what people run. */
export function startLine(): { flags: string[]; program: string } {
  const { scripts } = JSON.parse(readFileSync(join(projectFolder, 'package.json'), 'utf8')) as {
    scripts: { start: string }
  }
  const words = scripts.start.split(' ').slice(1)
  return { flags: words.slice(0, -1), program: words.at(-1) ?? '' }
}
