import { literalName, type RuleContext, type Syntax } from './syntax.ts'

const singleLook =
  'What is looked at once may not be ready yet: expect.poll(() => …) waits, rightNow(why, …) does not.'

const functions = new Set(['ArrowFunctionExpression', 'FunctionExpression', 'FunctionDeclaration'])

/** The expressions awaited in this one, except in nested functions, which are awaited when called. */
function awaitedIn(node: unknown): Syntax[] {
  if (Array.isArray(node)) return node.flatMap(awaitedIn)
  if (typeof node !== 'object' || node === null || !('type' in node)) return []
  const syntax = node as Syntax & { argument?: Syntax }
  if (functions.has(syntax.type)) return []
  if (syntax.type === 'AwaitExpression' && syntax.argument) return [syntax.argument]
  return Object.entries(syntax).flatMap(([key, child]) => (key === 'parent' ? [] : awaitedIn(child)))
}

export const noSingleLook = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      if (node.callee?.name !== 'expect') return
      const looks = awaitedIn(node.arguments ?? [])
      if (looks.some(({ callee }) => callee?.name !== 'rightNow'))
        context.report({ node, message: singleLook })
    },
  }),
}

export const settledEscape = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      const keyboard = node.callee?.object
      if (
        literalName(node.callee?.property) === 'press' &&
        literalName(keyboard?.property ?? keyboard) === 'keyboard' &&
        node.arguments?.[0]?.value === 'Escape'
      )
        context.report({ node, message: 'What has just opened may not listen yet: pressEscape(page) waits.' })
    },
  }),
}

export const settledApp = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      if (literalName(node.callee?.property) === 'idle')
        context.report({ node, message: 'Replies and the inbox may still be at work: t.settled() waits.' })
    },
  }),
}
