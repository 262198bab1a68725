import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'
import { projectFolder } from './built.mjs'

// The licences of what a build ships. Nearly all of them ask for their text to go with every copy.

export const licensesFile = 'licenses.txt'

const packageOf = /^.*?(\/.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//s

/** The texts of the licences of the packages of some modules. @throws Error for a package without one */
export function licensesOf(modules: Iterable<string>): string {
  const folders = new Set<string>()
  for (const id of modules) {
    const [, folder] = packageOf.exec(id.replaceAll('\\', '/')) ?? []
    if (folder !== undefined) folders.add(folder)
  }
  const texts = [...folders].map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
      name: string
      version: string
      license?: string
    }
    const file = readdirSync(folder).find((entry) => /^(licen[cs]e|copying)([.-]|$)/i.test(entry))
    if (!file && !license) throw new Error(`${name} has no licence`)
    const text = file ? readFileSync(join(folder, file), 'utf8').trim() : `License: ${license}`
    return { name, text: `${name} ${version} (${license ?? file})\n\n${text}\n` }
  })
  return texts
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => text)
    .join(`\n${'-'.repeat(80)}\n\n`)
}

/**
 * Writes `licenses.txt` into what is built. Several builds into one folder write those of all.
 * @param also packages of which no module is seen, such as those of stylesheets
 */
export function licenses(also: readonly string[] = []): Pick<Plugin, 'name' | 'generateBundle'> {
  const modules = new Set(also.map((name) => join(projectFolder, 'node_modules', name, 'index.js')))
  return {
    name: 'licenses',
    generateBundle() {
      for (const id of this.getModuleIds()) modules.add(id.replace(/^\0/, '').replace(/\?.*$/, ''))
      const there = [...modules].filter(
        (id) => existsSync(id) || also.some((name) => id.includes(`/${name}/`)),
      )
      this.emitFile({ type: 'asset', fileName: licensesFile, source: licensesOf(there) })
    },
  }
}
