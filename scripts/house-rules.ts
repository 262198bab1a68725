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

const singleLook =
  'What is looked at once may not be ready yet: expect.poll(() => …) waits, rightNow(why, …) does not.'

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])

/** The expressions that this one awaits; those of a function within it are awaited when it is called. */
function awaitedIn(node: unknown): Syntax[] {
  if (Array.isArray(node)) return node.flatMap(awaitedIn)
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  const syntax = node as Syntax & { argument?: Syntax }
  if (functions.has(syntax.type)) return []
  if (syntax.type === 'AwaitExpression' && syntax.argument) return [syntax.argument]
  return Object.entries(syntax).flatMap(([key, child]) => (key === 'parent' ? [] : awaitedIn(child)))
}

const noSingleLook = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      if (node.callee?.name !== 'expect') return
      const looks = awaitedIn(node.arguments ?? [])
      if (looks.some(({ callee }) => callee?.name !== 'rightNow'))
        context.report({ node, message: singleLook })
    },
  }),
}

// oxlint-disable-next-line import/no-default-export -- the linter loads a plugin by its default export
export default {
  meta: { name: 'house' },
  rules: {
    'no-export-star': noExportStar,
    'no-blind-tls': noBlindTls,
    'no-single-look': noSingleLook,
    'no-wall-clock': noWallClock,
  },
}
