import { expect, test } from 'vitest'
import { screenPaths, screenRuleOf } from '../src/shared/acts.ts'
import { flags, type Flags } from '../src/shared/permissions.ts'
import type { Screen, Screens } from '../src/web/platform/screens.ts'
import { screens } from '../src/web/rooms/screens.ts'
import { navGroupsOf } from '../src/web/shell/navigation/nav-items.ts'

/** The developers' screen, and the one behind 'Editar perfil'. */
const unlinked = new Set(['/test-contact-display', '/perfil', '/primeiros-passos'])

const permissions = Object.fromEntries(flags.map((flag) => [flag, true])) as Flags

test('every screen is in the side bar, or belongs to one that is', () => {
  const linked = navGroupsOf(screens, { role: 'admin', permissions }).flatMap((items) =>
    items.flatMap(({ path, also }) => [path, ...also]),
  )
  const all = Object.entries<Screen>(screens).flatMap(([path, { aliases = [] }]) => [path, ...aliases])
  expect(all.filter((path) => !linked.includes(path) && !unlinked.has(path))).toEqual([])
  expect(linked.filter((path) => !all.includes(path))).toEqual([])
})

test('a screen that shared has in the menu of a role has an icon there', () => {
  const inMenu = screenPaths.filter((path) => screenRuleOf(path).inMenuOf.length > 0)
  expect(inMenu.filter((path) => (screens as Screens)[path]?.menu === undefined)).toEqual([])
})
