import type { Plugin } from 'vite'

/** What a call declares for the server, the proofs and people. */
const serverOnly = new Set(['summary', 'act', 'needs', 'roles', 'isPublic', 'audit', 'rows', 'ids'])

interface Syntax {
  type: string
  start: number
  end: number
  name?: string
  callee?: Syntax
  arguments?: Syntax[]
  declaration?: Syntax
  declarations?: { init?: Syntax }[]
  properties?: (Syntax & { key?: Syntax })[]
}

/**
 * The code of a module without what only the server needs of the calls that it declares: browsers load
 * neither who may make a call nor what that leaves in the audit log.
 * @param body the statements of the module
 */
export function withoutServerOnly(code: string, body: readonly Syntax[]): string {
  const declared = body
    .flatMap(({ declaration }) => declaration?.declarations ?? [])
    .flatMap(({ init }) => (init?.callee?.name === 'endpoint' ? (init.arguments?.[0]?.properties ?? []) : []))
  const removed = declared.filter(({ key }) => serverOnly.has(key?.name ?? ''))
  return removed.reduceRight((rest, { start, end }) => {
    const after = /^\s*,/.exec(rest.slice(end))?.[0].length ?? 0
    return rest.slice(0, start) + rest.slice(end + after)
  }, code)
}

/** Leaves out of the pages what is declared for the server. */
export const serverOnlyLeftOut: Plugin = {
  name: 'server-only',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/shared\/.*\.ts$/, code: /\bendpoint\(/ },
    handler(code) {
      return { code: withoutServerOnly(code, this.parse(code).body as unknown as Syntax[]), map: null }
    },
  },
}
