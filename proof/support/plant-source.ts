import { readFileSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../scripts/start-line.ts'

/** A fault in a source, to see that a proof finds it. */
export interface SourceFault {
  /** Under `src`. */
  file: string
  from: string
  to: string
}

/** The built server, which is started where it is of the same sources, and has no fault. */
const built = /\/dist\/server\/(\w+)\.js$/

/**
 * From now on this process loads the source with the fault.
 * @throws Error on loading, when the source has changed
 */
export function plantSource({ file, from, to }: SourceFault): void {
  const path = join(projectFolder, 'src', file)
  registerHooks({
    resolve: (specifier, context, nextResolve) =>
      nextResolve(specifier.replace(built, '/src/server/$1.ts'), context),
    load(url, context, nextLoad) {
      const loaded = nextLoad(url, context)
      if (!url.startsWith('file:') || fileURLToPath(url) !== path) return loaded
      const source = readFileSync(path, 'utf8')
      if (!source.includes(from)) throw new Error(`${file} has changed: plant the fault anew`)
      return { ...loaded, source: source.replace(from, () => to) }
    },
  })
}
