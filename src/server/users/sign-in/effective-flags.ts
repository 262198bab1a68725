import { flags as flagNames, type Flags, type Role } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'

const allFlags = Object.fromEntries(flagNames.map((flag) => [flag, true])) as Flags

/**
 * The effective flags. An administrator has all; otherwise a stored record wins over the role's defaults.
 * Tracking messages are for administrators only, whatever the record contains.
 * @see decisions §2 'two default permission sets'
 */
export function effectiveFlags(role: Role, record: Flags | null): Flags {
  if (role === 'admin') return allFlags
  return { ...defaultFlags(role), ...record, canViewTrackingMessages: false }
}
