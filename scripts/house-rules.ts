/**
 * Rules of the house that the linter does not bring: each forbids what reads as harmless in a review.
 * The shapes below are the part of the syntax tree that the rules look at.
 */
interface Syntax {
  type: string
  name?: string
  value?: unknown
  key?: Syntax
  computed?: boolean
  callee?: Syntax
  object?: Syntax
  property?: Syntax
  arguments?: Syntax[]
}

interface RuleContext {
  report(finding: { node: Syntax; message: string }): void
}

const literalName = (node: Syntax | undefined): unknown =>
  node?.type === 'Identifier' ? node.name : node?.value

const noExportStar = {
  create: (context: RuleContext) => ({
    ExportAllDeclaration: (node: Syntax) =>
      context.report({ node, message: 'Name what is exported: `export *` hides what a door offers.' }),
  }),
}

const noBlindTls = {
  create: (context: RuleContext) => ({
    Property(node: Syntax) {
      const value = node.value as Syntax | undefined
      if (
        literalName(node.key) === 'rejectUnauthorized' &&
        value?.type === 'Literal' &&
        value.value === false
      )
        context.report({ node, message: 'A certificate that is not checked protects nobody.' })
    },
    Literal(node: Syntax) {
      if (node.value === 'NODE_TLS_REJECT_UNAUTHORIZED')
        context.report({ node, message: 'Certificates are checked in the whole process.' })
    },
    Identifier(node: Syntax) {
      if (node.name === 'NODE_TLS_REJECT_UNAUTHORIZED')
        context.report({ node, message: 'Certificates are checked in the whole process.' })
    },
  }),
}

const wallClock =
  'What is stored or told is by appNow() or app_now(), what is waited for by performance.now(): this clock may be set.'

const noWallClock = {
  create: (context: RuleContext) => ({
    NewExpression(node: Syntax) {
      if (node.callee?.name === 'Date' && node.arguments?.length === 0)
        context.report({ node, message: wallClock })
    },
    MemberExpression(node: Syntax) {
      if (node.object?.name === 'Date' && literalName(node.property) === 'now')
        context.report({ node, message: wallClock })
    },
  }),
}

/**
 * A call with several rows in permissions.json is judged by its handler: `route(call, { row: flags, … }, handler)`
 * whose handler never uses the `permit` or `isPermitted` that it is given would let everybody pass.
 */
const judgedCalls = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      const [, access, handler] = node.arguments ?? []
      const name = node.callee?.name ?? node.callee?.property?.name
      if (name !== 'route' || access?.type !== 'ObjectExpression' || !handler) return
      if (!usesName(handler, ['permit', 'isPermitted']))
        context.report({ node, message: 'A handler of several rows asks `permit` or `isPermitted` of one.' })
    },
  }),
}

/** Whether the name is used as a value below: naming it in a pattern is not yet a use. */
function usesName(node: unknown, names: string[]): boolean {
  if (Array.isArray(node)) return node.some((each) => usesName(each, names))
  if (typeof node !== 'object' || node === null || !('type' in node)) return false
  const { type } = node
  if (type === 'Identifier') return names.includes((node as { name?: string }).name ?? '')
  if (type === 'ObjectPattern') return false
  return Object.entries(node).some(([key, value]) => key !== 'parent' && usesName(value, names))
}

// oxlint-disable-next-line import/no-default-export -- the linter loads a plugin by its default export
export default {
  meta: { name: 'house' },
  rules: {
    'no-export-star': noExportStar,
    'no-blind-tls': noBlindTls,
    'no-wall-clock': noWallClock,
    'judged-calls': judgedCalls,
  },
}
