import { LayoutDashboard, MessageCircle, Settings, ShieldCheck, Users, type LucideIcon } from 'lucide-react'
import { type ScreenPath, screenRuleOf } from '#shared/acts.ts'
import type { Role } from '#shared/permissions.ts'
import { screenTitles } from '#shared/text/screen-titles.ts'

export interface NavItem {
  path: string
  label: string
  icon: LucideIcon
  /** Other paths that belong to it. */
  also: readonly string[]
  roles: readonly Role[]
}

const item = (path: ScreenPath, icon: LucideIcon, also: readonly string[] = []): NavItem => ({
  path,
  label: screenTitles[path],
  icon,
  also,
  roles: screenRuleOf(path).inMenuOf,
})

/** The side bar, in groups. Only existing screens. @see specification §2 Shell */
const navGroups: readonly (readonly NavItem[])[] = [
  [item('/', LayoutDashboard), item('/conversas-ativas', MessageCircle, ['/conversations', '/chat'])],
  [
    item('/users', Users),
    item('/permissions', ShieldCheck),
    item('/settings', Settings, ['/configuracoes', '/settings-advanced']),
  ],
]

/** The screens of a role, grouped as in the side bar. */
export const navGroupsOf = (role: Role): NavItem[][] =>
  navGroups
    .map((items) => items.filter((item) => item.roles.includes(role)))
    .filter((items) => items.length > 0)
