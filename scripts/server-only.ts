import type { Plugin } from 'vite'

/** What a page needs of a call to make it. */
const needed = new Set(['method', 'path'])

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
 * neither who may make a call and what that leaves in the audit log, nor the schemas that only the server
 * applies.
 * @param body the statements of the module
 */
export function withoutServerOnly(code: string, body: readonly Syntax[]): string {
  const calls = body
    .flatMap(({ declaration }) => declaration?.declarations ?? [])
    .flatMap(({ init }) => (init?.callee?.name === 'endpoint' ? [init] : []))
  return calls.reduceRight((rest, { start, end, arguments: given }) => {
    const kept = (given?.[0]?.properties ?? []).filter(({ key }) => needed.has(key?.name ?? ''))
    const texts = kept.map((property) => code.slice(property.start, property.end))
    return `${rest.slice(0, start)}{ ${texts.join(', ')} }${rest.slice(end)}`
  }, code)
}

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression'])

/**
 * The code of a module whose constants are marked as pure, so that a page is built without those that it does
 * not use: a schema made by a method, as in `z.int().check(…)`, or of parts of another might otherwise have
 * done something. Modules of the contract do nothing when they are loaded.
 * @param body the statements of the module
 */
export function withPureConstants(code: string, body: readonly Syntax[]): string {
  const values = body
    .flatMap((statement) => (statement.declaration ?? statement).declarations ?? [])
    .flatMap(({ init }) => (init && !functions.has(init.type) ? [init] : []))
    // What is written out needs no mark.
    .filter(({ start, end }) => /\(|\.\.\./.test(code.slice(start, end)))
  return values.reduceRight(
    (rest, { start, end }) =>
      `${rest.slice(0, start)}/*@__PURE__*/ (() => (${rest.slice(start, end)}))()${rest.slice(end)}`,
    code,
  )
}

/** Leaves out of the pages what is declared for the server. */
export const serverOnlyLeftOut: Plugin = {
  name: 'server-only',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /\/src\/shared\/.*\.ts$/, code: /\bz\.|\bendpoint\(/ },
    handler(code) {
      const statements = (text: string) => this.parse(text).body as unknown as Syntax[]
      const calls = withoutServerOnly(code, statements(code))
      return { code: withPureConstants(calls, statements(calls)), map: null }
    },
  },
}
