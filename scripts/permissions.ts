import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { flags } from '#shared/permissions.ts'
import { defaultFlags } from '#shared/users/default-flags.ts'
import { allRows } from '#server/testing/calls.ts'

const file = join(import.meta.dirname, '..', 'src', 'shared', 'permissions.json')

/** One value a line, so that a difference names what has changed. */
const lines = (values: readonly unknown[]) =>
  `[\n  ${values.map((one) => JSON.stringify(one)).join(',\n  ')}\n]`

/**
 * The permission table as text, for people and for the proofs of access: the rows that the calls declare,
 * with whether the password is asked for again (or for which fields of the body), what each leaves in the
 * audit log (null for nothing, save sometimes), the flags, and the default flags of roles.
 */
export async function permissionTable(): Promise<string> {
  const rows = (await allRows()).map(
    ({ id, method, path, ceiling, flags: needed, public: isPublic, audit, sensitive }) => ({
      id,
      method,
      path,
      ceiling,
      flags: needed,
      public: isPublic,
      sensitive,
      ...(typeof audit === 'string' ? { audit } : { audit: null, sometimes: audit.sometimes }),
    }),
  )
  const defaults = { supervisor: defaultFlags('supervisor'), operator: defaultFlags('operator') }
  const parts = [
    `"flags": ${JSON.stringify(flags)}`,
    `"defaults": ${JSON.stringify(defaults)}`,
    `"endpoints": ${lines(rows)}`,
  ]
  return `{${parts.join(',\n')}}\n`
}

/** The table in the repository. */
export const storedTable = () => readFileSync(file, 'utf8')

if (import.meta.main) writeFileSync(file, await permissionTable())
