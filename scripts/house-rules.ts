/**
 * Lint rules of this project, against mistakes that look harmless in a review. The interfaces describe the
 * part of the syntax tree that the rules use.
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
  parent?: Syntax
  tag?: Syntax
  quasi?: { quasis: { value: { raw: string } }[] }
  /** Of an operator: '&&', '+', … */
  operator?: string
  left?: Syntax
  right?: Syntax
  consequent?: Syntax
  alternate?: Syntax
  expression?: Syntax
  expressions?: Syntax[]
  elements?: (Syntax | null)[]
  children?: Syntax[]
}

interface Place {
  line: number
  column: number
}

interface RuleContext {
  sourceCode: { lines: readonly string[] }
  report(finding: { message: string } & ({ node: Syntax } | { loc: { start: Place; end: Place } })): void
}

function literalName(node: Syntax | undefined): unknown {
  return node?.type === 'Identifier' ? node.name : node?.value
}

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

const wallClock = 'Use appNow() or app_now() for times, performance.now() for delays: this clock may be set.'

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
 * The handler of a call with several rows in permissions.json checks the permission itself: in `route(call, {
 * row: flags, … }, handler)`, a handler that never uses `permit` or `isPermitted` would let everybody pass.
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

/** Whether one of the names is used as a value in the tree; a destructuring pattern is no use. */
function usesName(node: unknown, names: string[]): boolean {
  if (Array.isArray(node)) return node.some((each) => usesName(each, names))
  if (typeof node !== 'object' || node === null || !('type' in node)) return false
  const { type } = node
  if (type === 'Identifier') return names.includes((node as { name?: string }).name ?? '')
  if (type === 'ObjectPattern') return false
  return Object.entries(node).some(([key, value]) => key !== 'parent' && usesName(value, names))
}

/** The formatter's `printWidth`. */
const maxColumns = 110

/** Lines that cannot be broken: a single word, such as a URL, or the import or export of a single name. */
const unbreakable = /^\s*((\/\/|\*) )?\S+$|^(import|export) (type )?\{ [^,]+ \} from \S+$/

/** Limits the width of comments and strings, which the formatter does not break. */
const noWideLines = {
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

const settledEscape = {
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

const settledApp = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      if (literalName(node.callee?.property) === 'idle')
        context.report({ node, message: 'Replies and the inbox may still be at work: t.settled() waits.' })
    },
  }),
}

const unseenMessage =
  'A message is read by its id through messageFor and its like (store/access.ts), which ask who may see it.'

/** Functions that read a message by its id and ask nobody's rights. */
const blindReaders = new Set(['findMessageIn', 'listMessageRows', 'lockMessage', 'lockMessageAndEcho'])

/** Whether the condition is in the `where` of a select; a join follows a reference that is stored. */
function isOfSelect(condition: Syntax): boolean {
  for (let node = condition.parent; node; node = node.parent) {
    if (node.type !== 'CallExpression') continue
    const method = literalName(node.callee?.property)
    if (typeof method === 'string' && method.endsWith('Join')) return false
    for (let inner = node.callee?.object; inner; inner = (inner.callee ?? inner).object)
      if (literalName(inner.callee?.property) === 'select') return true
  }
  return false
}

/**
 * Some kinds of messages are for administrators only, so that whoever reads one by an id of a caller must ask
 * for the person's rights.
 */
const messagesById = {
  create: (context: RuleContext) => ({
    CallExpression(node: Syntax) {
      const name = node.callee?.name ?? ''
      const [column] = node.arguments ?? []
      const isId =
        ['eq', 'inArray'].includes(name) &&
        column?.object?.name === 'messages' &&
        literalName(column.property) === 'id'
      if (blindReaders.has(name) || (isId && isOfSelect(node)))
        context.report({ node, message: unseenMessage })
    },
    TaggedTemplateExpression(node: Syntax) {
      const texts = node.quasi?.quasis.map(({ value }) => value.raw) ?? []
      if (literalName(node.tag) !== 'sql') return
      const aliases = [...texts.join('').matchAll(/\b(?:from|join) messages (?:as )?(\w+)/g)].map(
        ([, as]) => as,
      )
      const byId = new RegExp(String.raw`\b(${aliases.join('|')})\.id (=|in) ?(any)?\(?$`)
      if (aliases.length > 0 && texts.slice(0, -1).some((text) => byId.test(text)))
        context.report({ node, message: unseenMessage })
    },
  }),
}

const ownPlace = 'Files may be in the folder or in the bucket, or just moving: only the file store knows.'
const placeNames = new Set(['uploadsFolder', 'openPlaces', 'createFolder', 'createBucket'])

const filesByStore = {
  create: (context: RuleContext) => ({
    Literal(node: Syntax) {
      if (typeof node.value === 'string' && /^\/?uploads(?:\/|$)/.test(node.value))
        context.report({ node, message: ownPlace })
    },
    ImportSpecifier(node: Syntax & { imported?: Syntax }) {
      if (placeNames.has(node.imported?.name ?? '')) context.report({ node, message: ownPlace })
    },
  }),
}

const ownBodyLimit =
  'How bodies are read is decided in a few files: a call takes the limits of `route` in platform/http.'
const formReaders = new Set<unknown>(['file', 'files', 'parts', 'saveRequestFiles'])

/** Parsers and limits of bodies of their own, and forms that are read without limits. */
const limitedBodies = {
  create: (context: RuleContext) => ({
    Property(node: Syntax) {
      if (literalName(node.key) === 'bodyLimit') context.report({ node, message: ownBodyLimit })
    },
    CallExpression(node: Syntax) {
      const name = literalName(node.callee?.property)
      if (name === 'addContentTypeParser') context.report({ node, message: ownBodyLimit })
      if (!formReaders.has(name) || !/^req(uest)?$/.test(node.callee?.object?.name ?? '')) return
      const [options] = node.arguments ?? []
      const properties = (options as { properties?: Syntax[] } | undefined)?.properties ?? []
      if (!properties.some(({ key }) => literalName(key) === 'limits'))
        context.report({ node, message: 'A form is read with limits: `request.file({ limits })`.' })
    },
  }),
}

const unboundedText =
  'A client may have written 131,072 characters: <RichText text={…} /> folds them, cut(…) shortens a label.'

/** What clients write at any length, by its usual names. */
const written = new Set(['content', 'fileName', 'address', 'organization', 'email', 'option'])
/** Attributes and fields that are read out or shown on one line. */
const labels = new Set(['aria-label', 'aria-description', 'alt', 'title', 'label', 'placeholder'])

/** The parts of an expression that become text and are not shortened. Templates are visited by themselves. */
function unboundedIn(node: Syntax | null | undefined): Syntax[] {
  switch (node?.type) {
    case 'Identifier':
      return written.has(node.name ?? '') ? [node] : []
    case 'MemberExpression':
      return !node.computed && written.has(node.property?.name ?? '') ? [node] : []
    case 'ConditionalExpression':
      return [node.consequent, node.alternate].flatMap(unboundedIn)
    case 'LogicalExpression':
      return (node.operator === '&&' ? [node.right] : [node.left, node.right]).flatMap(unboundedIn)
    case 'BinaryExpression':
      return node.operator === '+' ? [node.left, node.right].flatMap(unboundedIn) : []
    case 'ChainExpression':
    case 'TSNonNullExpression':
    case 'TSAsExpression':
      return unboundedIn(node.expression)
    case 'ArrayExpression':
      return (node.elements ?? []).flatMap(unboundedIn)
    case 'CallExpression':
      // What a method makes of a text is still a text.
      return node.callee?.property?.name === 'slice' ? [] : unboundedIn(node.callee?.object)
    default:
      return []
  }
}

const boundedTexts = {
  create: (context: RuleContext) => {
    const check = (nodes: readonly (Syntax | null | undefined)[]) => {
      for (const node of nodes.flatMap(unboundedIn)) context.report({ node, message: unboundedText })
    }
    const checkChildren = ({ children = [] }: Syntax) => check(children.map(({ expression }) => expression))
    return {
      JSXElement: checkChildren,
      JSXFragment: checkChildren,
      JSXAttribute(node: Syntax & { name?: Syntax }) {
        if (labels.has(node.name?.name ?? '')) check([(node.value as Syntax | null)?.expression])
      },
      Property(node: Syntax) {
        if (labels.has(String(literalName(node.key)))) check([node.value as Syntax])
      },
      TemplateLiteral: (node: Syntax) => check(node.expressions ?? []),
    }
  },
}

// oxlint-disable-next-line import/no-default-export -- the linter loads a plugin by its default export
export default {
  meta: { name: 'house' },
  rules: {
    'bounded-texts': boundedTexts,
    'no-export-star': noExportStar,
    'no-blind-tls': noBlindTls,
    'no-single-look': noSingleLook,
    'no-wall-clock': noWallClock,
    'judged-calls': judgedCalls,
    'limited-bodies': limitedBodies,
    'max-columns': noWideLines,
    'messages-by-id': messagesById,
    'files-by-store': filesByStore,
    'settled-app': settledApp,
    'settled-escape': settledEscape,
  },
}
