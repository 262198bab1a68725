import {
  LayoutDashboard,
  type LucideIcon,
  MessageCircle,
  ScrollText,
  Settings,
  ShieldCheck,
  Users,
} from 'lucide-react'
import type { Flag, Role } from '#shared/permissions.ts'
import type { Me } from '#shared/users.ts'

export interface NavItem {
  path: string
  label: string
  icon: LucideIcon
  /** Other paths that belong to it. */
  also: readonly string[]
  roles: readonly Role[]
  /** Also required, besides the role. */
  flag?: Flag
}

const everyone: readonly Role[] = ['admin', 'supervisor', 'operator']

/** The side bar, in groups. Only existing screens. @see specification §2 Shell */
const navGroups: readonly (readonly NavItem[])[] = [
  [
    { path: '/', label: 'Dashboard', icon: LayoutDashboard, also: [], roles: everyone },
    {
      path: '/conversas-ativas',
      label: 'Conversas Ativas',
      icon: MessageCircle,
      also: ['/conversations', '/chat'],
      roles: everyone,
    },
  ],
  [
    { path: '/users', label: 'Usuários', icon: Users, also: [], roles: ['admin'] },
    { path: '/permissions', label: 'Permissões', icon: ShieldCheck, also: [], roles: ['admin'] },
    {
      path: '/settings',
      label: 'Configurações',
      icon: Settings,
      also: ['/configuracoes', '/settings-advanced'],
      roles: ['admin'],
    },
    {
      path: '/auditoria',
      label: 'Auditoria',
      icon: ScrollText,
      also: [],
      roles: ['admin', 'supervisor'],
      flag: 'canViewAuditLogs',
    },
  ],
]

/** The screens of a person, grouped as in the side bar. */
export const navGroupsOf = ({ role, permissions }: Pick<Me, 'role' | 'permissions'>): NavItem[][] =>
  navGroups
    .map((items) =>
      items.filter(({ roles, flag }) => roles.includes(role) && (flag === undefined || permissions[flag])),
    )
    .filter((items) => items.length > 0)
