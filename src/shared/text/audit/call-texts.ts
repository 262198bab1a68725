import { areas } from '#shared/rooms/texts.ts'

/** What the calls under a path are about; the longest that fits counts. */
const byPath = Object.entries<string>(areas).toSorted(([a], [b]) => b.length - a.length)

const verbs: Readonly<Record<string, string>> = {
  GET: 'abrir',
  POST: 'agir em',
  PUT: 'mudar',
  PATCH: 'mudar',
  DELETE: 'excluir em',
}

/**
 * What somebody tried who may not make a call: 'abrir', 'Relatórios'.
 * @param call a row of the permission table, such as 'GET /api/reports/stats'
 */
export function attemptText(call: string): { verb: string; area: string } {
  const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(call) ?? []
  const area = byPath.find(([start]) => path === start || path.startsWith(`${start}/`))
  return { verb: verbs[method] ?? 'usar', area: area?.[1] ?? call }
}
