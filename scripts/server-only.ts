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
  declarations?: { init?: Syntax; id?: Syntax }[]
  specifiers?: { local: { name: string } }[]
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

/**
 * The code of a module without the imports and constants that nothing in it uses any longer. A bundler would
 * leave out what is made of them, but load what they are made of with whoever loads the module.
 */
export function withoutUnused(code: string, parse: (code: string) => readonly Syntax[]): string {
  for (;;) {
    const rest = code
    const unused = parse(rest).find((statement) => {
      const names = namesOf(statement)
      const others = withoutComments(rest.slice(0, statement.start) + rest.slice(statement.end))
      return names.length > 0 && names.every((name) => !new RegExp(`\\b${name}\\b`).test(others))
    })
    if (!unused) return code
    code = rest.slice(0, unused.start) + rest.slice(unused.end)
  }
}

/** Those that stand by themselves, in which names are no use of what they name. */
const withoutComments = (code: string) => code.replaceAll(/^\s*(?:\/\/.*|\/\*\*[\s\S]*?\*\/)$/gm, '')

/** What an import or a constant of the module's own is called; nothing of any other statement. */
function namesOf({ type, specifiers = [], declarations = [] }: Syntax): string[] {
  if (type === 'ImportDeclaration') return specifiers.map(({ local }) => local.name)
  const names = declarations.map(({ id }) => id?.name)
  return names.every((name) => name !== undefined) ? names : []
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
      const used = withoutUnused(calls, statements)
      return { code: withPureConstants(used, statements(used)), map: null }
    },
  },
}
