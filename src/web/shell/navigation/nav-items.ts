import { LayoutDashboard, MessageCircle, Settings, ShieldCheck, Users, type LucideIcon } from 'lucide-react'
import type { Role } from '#shared/permissions.ts'

export interface NavItem {
  path: string
  label: string
  icon: LucideIcon
  /** Other paths that belong to it. */
  also: readonly string[]
  roles: readonly Role[]
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
  ],
]

/** The screens of a role, grouped as in the side bar. */
export const navGroupsOf = (role: Role): NavItem[][] =>
  navGroups
    .map((items) => items.filter((item) => item.roles.includes(role)))
    .filter((items) => items.length > 0)
