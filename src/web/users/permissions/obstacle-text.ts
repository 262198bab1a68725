import type { Obstacle } from '#shared/acts.ts'
import { type Flag, powerlessFlags, type Role } from '#shared/permissions.ts'
import { flagGroups } from '#shared/text/rights/flag-texts.ts'

const labels = new Map(flagGroups.flatMap(({ flags }) => flags.map(({ flag, label }) => [flag, label])))

const rolesText = (roles: readonly Role[]) =>
  roles.includes('supervisor') ? 'Somente administradores e supervisores' : 'Somente administradores'

/** Whom a flag can be given that has no effect for the person's role. */
export const whoseFlag = (flag: Flag): string =>
  rolesText(powerlessFlags.supervisor.includes(flag) ? ['admin'] : ['admin', 'supervisor'])

/** 'Somente administradores', or 'Falta Criar conversas, e Ver contatos ou Ver conversas'. */
export function obstacleText(obstacle: Obstacle): string {
  if ('roles' in obstacle) return rolesText(obstacle.roles)
  const missing = obstacle.flags.map((group) => group.map((flag) => `“${labels.get(flag)}”`).join(' ou '))
  return `Falta ${missing.join(' e ')}`
}
