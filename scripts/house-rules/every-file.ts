import { literalName, type RuleContext, type Syntax } from './syntax.ts'

export const noExportStar = {
  create: (context: RuleContext) => ({
    ExportAllDeclaration: (node: Syntax) =>
      context.report({ node, message: 'Name what is exported: `export *` hides what a door offers.' }),
  }),
}

export const noBlindTls = {
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

const wallClock = 'Use appNow() or app_now() for times, performance.now() for delays: this clock may be set.'

export const noWallClock = {
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

/** The formatter's `printWidth`. */
const maxColumns = 110

/** Lines that cannot be broken: a single word, such as a URL, or the import or export of a single name. */
const unbreakable = /^\s*((\/\/|\*) )?\S+$|^(import|export) (type )?\{ [^,]+ \} from \S+$/

/** Limits the width of comments and strings, which the formatter does not break. */
export const noWideLines = {
  create: (context: RuleContext) => ({
    Program() {
      for (const [index, text] of context.sourceCode.lines.entries()) {
        // Code points, so that an emoji counts once.
        const columns = Array.from(text).length
        if (columns <= maxColumns || unbreakable.test(text)) continue
        const line = index + 1
        context.report({
          loc: { start: { line, column: maxColumns }, end: { line, column: text.length } },
          message: `A line has at most ${maxColumns} columns, this one ${columns}.`,
        })
      }
    },
  }),
}
