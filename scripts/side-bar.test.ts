import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { flags, type Flags } from '../src/shared/permissions.ts'
import { navGroupsOf } from '../src/web/shell/navigation/nav-items.ts'

/** The developers' screen, and the one behind 'Editar perfil'. */
const unlinked = new Set(['/test-contact-display', '/perfil', '/primeiros-passos'])

const permissions = Object.fromEntries(flags.map((flag) => [flag, true])) as Flags

test('every screen is in the side bar, or belongs to one that is', () => {
  const source = readFileSync(new URL('../src/web/routes.tsx', import.meta.url), 'utf8')
  const paths = [...source.matchAll(/<Route path="([^"]+)"/g)].map(([, path]) => path ?? '')
  expect(paths).toContain('/chat')
  const linked = new Set(
    navGroupsOf({ role: 'admin', permissions }).flatMap((items) =>
      items.flatMap(({ path, also }) => [path, ...also]),
    ),
  )
  const isBelow = (path: string) => [...linked].some((one) => one !== '/' && path.startsWith(`${one}/`))
  const isKnown = (path: string) => linked.has(path) || unlinked.has(path) || isBelow(path)
  expect(paths.filter((path) => !isKnown(path))).toEqual([])
  expect([...linked].filter((path) => !paths.includes(path))).toEqual([])
})
