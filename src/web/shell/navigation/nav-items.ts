import type { LucideIcon } from 'lucide-react'
import { isInMenu, screenPaths, screenRuleOf, type Who } from '#shared/acts.ts'
import type { Screens } from '#web/platform/screens.ts'

export interface NavItem {
  path: string
  label: string
  icon: LucideIcon
  /** Other paths that belong to it. */
  also: readonly string[]
}

/** The side bar, in groups. Only existing screens. @see specification §2 Shell */
const groups = ['daily', 'management'] as const

/** The screens of a person, grouped as in the side bar. */
export const navGroupsOf = (screens: Screens, who: Who): NavItem[][] =>
  groups
    .map((group) =>
      screenPaths
        .filter((path) => screens[path]?.menu?.group === group && isInMenu(who, path))
        .flatMap((path) => itemOf(screens, path)),
    )
    .filter((items) => items.length > 0)

function itemOf(screens: Screens, path: (typeof screenPaths)[number]): NavItem[] {
  const { menu } = screens[path] ?? {}
  const belonging = Object.entries(screens).filter(([one, { within }]) => one === path || within === path)
  const also = belonging.flatMap(([one, { aliases = [] }]) => (one === path ? aliases : [one, ...aliases]))
  return menu ? [{ path, label: screenRuleOf(path).title, icon: menu.icon, also }] : []
}
