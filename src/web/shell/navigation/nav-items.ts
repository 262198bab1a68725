import {
  Archive,
  Building2,
  ChartColumn,
  ContactRound,
  LayoutDashboard,
  type LucideIcon,
  MessageCircle,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
  Wrench,
} from 'lucide-react'
import { isInMenu, screenRuleOf, type ScreenPath, type Who } from '#shared/acts.ts'

export interface NavItem {
  path: ScreenPath
  label: string
  icon: LucideIcon
  /** Other paths that belong to it. */
  also: readonly string[]
}

const item = (path: ScreenPath, icon: LucideIcon, also: readonly string[] = []): NavItem => ({
  path,
  label: screenRuleOf(path).title,
  icon,
  also,
})

/** The side bar, in groups. Only existing screens. @see specification §2 Shell */
const navGroups: readonly (readonly NavItem[])[] = [
  [
    item('/', LayoutDashboard),
    item('/conversas-ativas', MessageCircle, ['/conversations', '/chat']),
    item('/conversas-arquivadas', Archive, ['/archived-conversations']),
    item('/contacts', ContactRound, ['/contacts/import']),
    item('/companies', Building2),
  ],
  [
    item('/users', Users),
    item('/permissions', ShieldCheck),
    item('/settings', Settings, ['/configuracoes', '/settings-advanced']),
    item('/maintenance', Wrench),
    item('/reports', ChartColumn),
    item('/auditoria', ScrollText),
  ],
]

/** The screens of a person, grouped as in the side bar. */
export const navGroupsOf = (who: Who): NavItem[][] =>
  navGroups
    .map((items) => items.filter(({ path }) => isInMenu(who, path)))
    .filter((items) => items.length > 0)
